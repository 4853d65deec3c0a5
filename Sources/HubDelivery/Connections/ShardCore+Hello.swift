import HubModel
import HubParcel
import HubRules
import HubTags
import HubVocabulary
import HubWire

/// HELLO: who is it, and may it have a session. Source: rules C.2; Protocol, authentication.
extension ShardCore {
    mutating func receiveHello(_ hello: borrowing HelloFrame, slot: ConnectionSlot, now: Now) {
        guard let name = HubName(hello.message.hub), let hub = hubs.number(of: name) else {
            fail(slot, .unknownHub, now: now)
            return
        }
        guard !isDraining else {
            fail(slot, .draining, retryAfterMilliseconds: 1_000, now: now)
            return
        }
        guard case .awaitingHello(let peer)? = connections[slot]?.phase else { return }
        let identity: ProvenIdentity
        do throws(HelloRejection) {
            identity = try authenticator.prove(
                hello,
                peer,
                of: hubs[hub],
                random: &random,
                now: now
            )
        } catch {
            fail(
                slot,
                error.number,
                retryAfterMilliseconds: error.retryAfterMilliseconds,
                isFatal: error.isFatal,
                detail: error.detail,
                now: now
            )
            return
        }
        let pending = PendingHello(hello, identity, hub: hub, limits)
        let connection = connections[hot: slot].id
        connections.enter(.attaching(pending), slot)
        connections.setDeadline(
            slot,
            now.instant.adding(milliseconds: limits.timers.attachMilliseconds)
        )
        let request = AttachRequest(
            address: ConnectionAddress(shard: shard, connection: connection),
            device: identity.device,
            keyGeneration: identity.generation,
            instance: hello.message.instance,
            // A new identity has no past, whatever its device remembers.
            position: identity.isNew ? .none : hello.message.position,
            isNew: identity.isNew,
            grant: identity.grant
        )
        actions.append(.directory(name, .attach(request)))
    }

    // MARK: WELCOME

    /// Opens the session that the directory described.
    mutating func attached(_ reply: AttachReply, of hub: HubShard, now: Now) {
        guard let slot = connections.slot(of: reply.address.connection) else {
            release(reply, of: hub)
            return
        }
        switch connections[slot]?.phase {
        case .attaching(let pending): openSession(reply, pending, slot: slot, now: now)
        case .ready(let session): reload(reply, session, now: now)
        case nil, .awaitingHello, .draining, .leaving, .closing: release(reply, of: hub)
        }
    }

    /// The connection went away while the directory was asked.
    private mutating func release(_ reply: AttachReply, of hub: HubShard) {
        if let index = hub.sessions.index(of: reply.device),
            hub.sessions[index].generation == reply.sessionGeneration
        {
            // A draining session that was loaded again: its end will be told.
            return
        }
        actions.append(
            .directory(
                hub.name,
                .detach(device: reply.device, sessionGeneration: reply.sessionGeneration)
            )
        )
    }

    private mutating func openSession(
        _ reply: AttachReply,
        _ pending: PendingHello,
        slot: ConnectionSlot,
        now: Now
    ) {
        guard connections[slot] != nil else { return }
        let connection = connections[hot: slot].id
        let hub = hubs[pending.hub]
        let index = hub.sessions.insert(
            DeviceSession(reply, pending, connection: connection)
        )
        connections.enter(.ready(SessionReference(hub: pending.hub, index: index)), slot)
        counters.sessionsOpened += 1
        actions.append(.authenticated(connection))
        var message = WelcomeFrame(reply, pending, of: hub, shard: shard, limits, now: now)
        message.limits.returning = hubs.pace(by: limits.returning, noting: reply, of: hub)
        connections.control(slot) { message.encode(into: &$0) }
        if limits.unusedFrameOneIn > 0, random.next() % limits.unusedFrameOneIn == 0 {
            let bits = random.next()
            connections.control(slot) { UnusedFrame.encode(bits, into: &$0) }
        }
        promise(slot, seconds: pending.keepAlive, now: now)
        hub.markDue(index)
        readEarly(slot, now: now)
    }
}
