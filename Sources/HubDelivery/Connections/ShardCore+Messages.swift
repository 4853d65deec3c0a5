package import HubModel
package import HubVocabulary
import HubWire

/// Messages of directories and log readers to a shard.
extension ShardCore {
    /// Takes one message of a hub's directory, in the order in which it was sent.
    package mutating func receive(_ message: ShardMessage, of name: HubName, now: Now) {
        guard let number = hubs.number(of: name) else { return }
        let hub = hubs[number]
        switch message {
        case .feed(let item):
            hub.apply(item, now: now)
            hub.markReadersDue()
        case .attached(let reply): attached(reply, of: hub, now: now)
        case .attachRefused(let address, let error, let retry):
            guard let slot = connections.slot(of: address.connection) else { return }
            fail(slot, error, retryAfterMilliseconds: retry, isFatal: true, now: now)
        case .takenOver(let address, let generation, let sameInstance):
            takenOver(address, hub, generation, sameInstance: sameInstance, now: now)
        case .outcome(let address, let reference, let outcome):
            guard let slot = connections.slot(of: address.connection) else { return }
            if let error = outcome.error { counters.errors[error, default: 0] += 1 }
            finishRequest(slot, reference, outcome)
            endLeaving(slot, now: now)
        case .feedLost(let head, let check):
            let devices = hub.loseFeed(head: head, check: check, of: shard)
            actions.append(.directory(name, .reload(devices)))
        case .settings(let settings): hub.use(settings)
        case .page(let page): accept(page, hub, now: now)
        case .revoked(let device, let generation):
            hub.keyGenerations[device] = generation
            guard let index = hub.sessions.index(of: device),
                let slot = connections.slot(of: hub.sessions[index].connection)
            else { return }
            fail(slot, .deviceRevoked, now: now)
        }
    }

    private mutating func accept(_ page: LogPage, _ hub: HubShard, now: Now) {
        guard let slot = connections.slot(of: page.address.connection),
            case .ready(let session) = connections[slot]?.phase
        else { return }
        guard !page.failed else {
            fail(slot, .unavailable, retryAfterMilliseconds: 5_000, isFatal: true, now: now)
            return
        }
        if hub.accept(page, for: session.index, now: now) { hub.markDue(session.index) }
    }

    private mutating func takenOver(
        _ address: ConnectionAddress,
        _ hub: HubShard,
        _ generation: UInt64,
        sameInstance: Bool,
        now: Now
    ) {
        guard let slot = connections.slot(of: address.connection),
            case .ready(let session) = connections[slot]?.phase,
            hub.sessions[session.index].generation == generation
        else { return }
        // The same process knows that it came back; another one must not fight for the device.
        if sameInstance {
            beginClosing(slot, now: now)
        } else {
            fail(slot, .takenOver, now: now)
        }
    }

    /// The present registrations of a session that was loaded again.
    mutating func reload(_ reply: AttachReply, _ session: SessionReference, now: Now) {
        let hub = hubs[session.hub]
        guard hub.sessions[session.index].generation == reply.sessionGeneration else { return }
        // Of two losses in a row the first answer may have made it live already.
        if hub.sessions[session.index].isLive { hub.stepBack(session.index) }
        hub.replaceRegistrations(session.index, by: reply.registrations)
        hub.resume(session.index)
    }
}
