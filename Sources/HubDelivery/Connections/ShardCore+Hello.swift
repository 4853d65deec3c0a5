import HubModel
import HubParcel
import HubRules
import HubTags
import HubVocabulary
import HubWire

/// HELLO: who is it, and may it have a session. Source: rules C.2; Protocol, authentication.
extension ShardCore {
    mutating func receiveHello(_ hello: borrowing HelloFrame, slot: Int, now: Now) {
        guard let name = HubName(hello.message.hub), let hub = hubs.number(of: name) else {
            fail(slot, .unknownHub, now: now)
            return
        }
        guard !isDraining else {
            fail(slot, .draining, retryAfterMilliseconds: 1_000, now: now)
            return
        }
        guard let identity = prove(hello, slot: slot, hub: hub, now: now) else { return }
        let pending = PendingHello(
            hub: hub,
            device: identity.device,
            isNew: identity.isNew,
            keyGeneration: identity.generation,
            capabilities: hello.message.capabilities,
            window: FlightWindow(
                messagesMax: min(UInt32(hello.message.windowMessages), limits.windowMessagesMax),
                bytesMax: min(hello.message.windowBytes, limits.windowBytesMax)
            ),
            keepAlive: min(
                max(limits.keepAliveSeconds, hello.message.keepaliveMin),
                hello.message.keepaliveMax
            )
        )
        guard connections[slot] != nil else { return }
        let connection = hot[slot].id
        enter(.attaching(pending), slot)
        let deadline = now.instant.adding(milliseconds: limits.attachMilliseconds)
        connections[slot]?.deadline = deadline
        arm(slot, deadline)
        let request = AttachRequest(
            address: ConnectionAddress(shard: shard, connection: connection),
            device: identity.device,
            keyGeneration: identity.generation,
            instance: hello.message.instance,
            // A new identity has no past, whatever its device remembers.
            position: identity.isNew ? .none : Position(hello.message.position),
            isNew: identity.isNew,
            grant: identity.grant
        )
        actions.append(.directory(name, .attach(request)))
    }

    private struct ProvenIdentity {
        var device: DeviceID
        var generation: UInt32
        /// The token of a new device.
        var grant: AccessGrant?

        var isNew: Bool { grant != nil }
    }

    /// The device a HELLO proves to be; nil after the refusal was sent.
    private mutating func prove(
        _ hello: borrowing HelloFrame,
        slot: Int,
        hub: Int,
        now: Now
    ) -> ProvenIdentity? {
        let device = DeviceID(high: hello.message.deviceID.high, low: hello.message.deviceID.low)
        let generation = hubs[hub].keyGenerations[device] ?? 0
        guard case .awaitingHello(let peer)? = connections[slot]?.phase else { return nil }
        switch hello.message.authMethod {
        case .none:
            fail(slot, .authRequired, now: now)
        case .ed25519:
            fail(slot, .unsupported, isFatal: true, now: now)
        case .token:
            return admitNew(hello, device: device, peer: peer, slot: slot, hub: hub, now: now)
        case .deviceKey:
            switch KeyProof(hello, of: device, in: hubs[hub], exporter: peer.exporter) {
            case .present: return ProvenIdentity(device: device, generation: generation)
            case .revoked: fail(slot, .deviceRevoked, now: now)
            case .wrong: fail(slot, .authFailed, now: now)
            }
        case .clientCertificate:
            guard peer.certificate != .none else {
                fail(slot, .authRequired, now: now)
                return nil
            }
            guard peer.certificate == .proves(device), hello.auth.isEmpty else {
                fail(slot, .authFailed, now: now)
                return nil
            }
            return ProvenIdentity(device: device, generation: generation)
        }
        return nil
    }

    /// A Listen token always makes a new identity, and only from HELLO without one.
    private mutating func admitNew(
        _ hello: borrowing HelloFrame,
        device: DeviceID,
        peer: PeerIdentity,
        slot: Int,
        hub: Int,
        now: Now
    ) -> ProvenIdentity? {
        guard device == .none else {
            fail(slot, .authFailed, detail: "a token admits new devices only", now: now)
            return nil
        }
        let grant: AccessGrant
        do throws(Refusal) {
            grant = try policies.authorizeDevice(
                token: hello.auth,
                hub: hubs[hub].name,
                now: now.time
            )
        } catch {
            fail(slot, error.helloError, detail: error.detail, now: now)
            return nil
        }
        guard mayMakeIdentity(peer, now: now) else {
            fail(slot, .rateLimited, retryAfterMilliseconds: 10_000, isFatal: true, now: now)
            return nil
        }
        return ProvenIdentity(
            device: DeviceID.make(random: &random),
            generation: 0,
            grant: grant
        )
    }

    private mutating func mayMakeIdentity(_ peer: PeerIdentity, now: Now) -> Bool {
        if peer.isLoopback { return true }
        return identities.take(
            peer.address,
            perSecond: limits.identitiesPerSecond,
            burst: limits.identitiesBurst,
            now: now.instant
        )
    }

    // MARK: WELCOME

    /// Opens the session that the directory described.
    mutating func attached(_ reply: AttachReply, of hub: HubShard, now: Now) {
        guard let slot = known(reply.address.connection) else {
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
        slot: Int,
        now: Now
    ) {
        guard connections[slot] != nil else { return }
        let connection = hot[slot].id
        let hub = hubs[pending.hub]
        let session = DeviceSession(
            connection: connection,
            device: reply.device,
            generation: reply.sessionGeneration,
            capabilities: pending.capabilities,
            window: pending.window,
            registrations: SessionRegistrations(reply.registrations),
            mode: .catchingUp(
                CatchUp(scanned: reply.readsFrom, scannedCheck: reply.start.check)
            ),
            start: reply.start.sequence,
            redeliveredThrough: reply.head,
            counted: CountedMatches(through: reply.evaluatedThrough, at: reply.lastSeen)
        )
        let index = hub.sessions.insert(session)
        enter(.ready(SessionReference(hub: pending.hub, index: index)), slot)
        counters.sessionsOpened += 1
        actions.append(.authenticated(connection))
        let message = welcome(reply, pending, hub: hub, now: now)
        control(slot) { message.encode(into: &$0) }
        if limits.unusedFrameOneIn > 0, random.next() % limits.unusedFrameOneIn == 0 {
            let bits = random.next()
            control(slot) { UnusedFrame.encode(bits, into: &$0) }
        }
        promise(slot, seconds: pending.keepAlive, now: now)
        hub.markDue(index)
        readEarly(slot, now: now)
    }

    private func welcome(
        _ reply: AttachReply,
        _ pending: PendingHello,
        hub: HubShard,
        now: Now
    ) -> WelcomeFrame {
        let handle = PushHandle(
            device: reply.device,
            hub: hub.name,
            secret: hub.secret,
            generation: pending.keyGeneration
        )
        var message = WelcomeFrame(
            resume: reply.outcome,
            deviceID: ID16(high: reply.device.high, low: reply.device.low),
            position: LinkPosition(
                epoch: reply.start.epoch,
                sequence: reply.start.sequence,
                check: reply.start.check
            ),
            handle: handle.bytes
        )
        message.lost = reply.lost
        message.capabilities = pending.capabilities.intersection(.known)
        message.serverTime = now.time.milliseconds
        message.etag = reply.etag
        message.retention = hub.retentionSeconds
        message.keepalive = pending.keepAlive
        message.grace = limits.graceSeconds
        message.ackDelay = limits.acknowledgementDelay
        if pending.isNew {
            message.deviceKey =
                DeviceKey(
                    device: reply.device,
                    hub: hub.name,
                    secret: hub.secret,
                    generation: pending.keyGeneration
                ).bytes
        }
        message.trace = "\(shard)-\(reply.sessionGeneration)"
        return message
    }
}

extension Refusal {
    /// The error of a HELLO whose token is refused.
    fileprivate var helloError: ErrorNumber {
        switch self {
        case .tokenMissing: .authRequired
        case .tokenExpired: .authExpired
        case .missingRight: .forbidden
        case .hubNotFound: .unknownHub
        default: .authFailed
        }
    }
}

extension Position {
    /// The position that a device shows.
    fileprivate init(_ position: LinkPosition) {
        self.init(epoch: position.epoch, sequence: position.sequence, check: position.check)
    }
}
