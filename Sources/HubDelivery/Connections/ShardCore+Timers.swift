import HubModel
package import HubVocabulary
import HubWire

/// Deadlines, keep-alive, draining and reports to the directories.
extension ShardCore {
    /// Looks at whatever is due; call about ten times a second.
    package mutating func tick(now: Now) {
        for slot in connections.takeDue(now: now.instant) { checkDeadlines(slot, now: now) }
        reportProgress(now: now)
    }

    /// The device will speak again within `seconds`; a quarter and the grace on top.
    ///
    /// Source: Protocol, keep-alive.
    mutating func promise(_ slot: ConnectionSlot, seconds: UInt16, now: Now) {
        // Draining has an end of its own.
        guard connections[hot: slot].kind == .ready else { return }
        let milliseconds = UInt64(seconds) * 1_250 + UInt64(limits.timers.graceSeconds) * 1_000
        connections.promise(slot, milliseconds: milliseconds, now: now.instant)
    }

    /// After entries were written: the oldest one must be acknowledged in time.
    mutating func rearm(_ slot: ConnectionSlot, _ session: SessionReference, now: Now) {
        guard !connections[hot: slot].watchesAcks,
            let oldest = hubs[session.hub].sessions[session.index].window.oldestSent
        else { return }
        connections[hot: slot].watchesAcks = true
        connections.arm(
            slot,
            oldest.adding(milliseconds: limits.timers.acknowledgementMilliseconds)
        )
    }

    private mutating func checkDeadlines(_ slot: ConnectionSlot, now: Now) {
        guard connections.takeCheck(slot, now: now.instant), let state = connections[slot] else {
            return
        }
        switch state.lapse(now: now.instant) {
        case .failed(let number): fail(slot, number, now: now)
        case .over: beginClosing(slot, now: now)
        case .closed: actions.append(.close(connections[hot: slot].id, afterFlush: true))
        case nil:
            if case .ready(let session) = state.phase, checkAcks(slot, session, now: now) { return }
            connections.arm(slot, min(state.deadline, state.frameDeadline ?? state.deadline))
        }
    }

    /// Whether the connection was closed because its device does not acknowledge.
    private mutating func checkAcks(_ slot: ConnectionSlot, _ session: SessionReference, now: Now)
        -> Bool
    {
        guard connections[hot: slot].watchesAcks else { return false }
        guard let oldest = hubs[session.hub].sessions[session.index].window.oldestSent else {
            connections[hot: slot].watchesAcks = false
            return false
        }
        let deadline = oldest.adding(milliseconds: limits.timers.acknowledgementMilliseconds)
        if deadline <= now.instant {
            fail(slot, .ackTimeout, now: now)
            return true
        }
        connections.arm(slot, deadline)
        return false
    }

    // MARK: Draining

    /// Tells every device to come back, spread by their number, and reads acknowledgements on.
    package mutating func drain(now: Now) {
        isDraining = true
        let spread = hubs.pace(by: limits.returning).spread
        for slot in connections.slots {
            sendGoaway(slot, spreadMilliseconds: spread, now: now)
        }
    }

    /// Tells one device to come back over another connection, and reads its acknowledgements for a
    /// while.
    ///
    /// Source: rules D.2.
    package mutating func retire(_ id: ConnectionID, now: Now) {
        guard let slot = connections.slot(of: id) else { return }
        sendGoaway(slot, spreadMilliseconds: 0, now: now)
    }

    mutating func sendGoaway(_ slot: ConnectionSlot, spreadMilliseconds: UInt32, now: Now) {
        switch connections[slot]?.phase {
        case nil, .leaving, .closing, .draining: return
        case .awaitingHello, .attaching:
            fail(slot, .draining, retryAfterMilliseconds: 1_000, now: now)
        case .ready(let session):
            let goaway = GoawayFrame(reason: .drain, minDelay: 1_000, spread: spreadMilliseconds)
            connections.control(slot) { goaway.encode(into: &$0) }
            connections.enter(.draining(session), slot)
            connections[slot]?.promiseMilliseconds = 0
            hubs[session.hub].stepBack(session.index)
            connections.setDeadline(
                slot,
                now.instant.adding(milliseconds: limits.timers.drainMilliseconds)
            )
        }
    }

    // MARK: Progress

    /// Tells the directories how far devices have come and what was counted, in groups.
    mutating func reportProgress(now: Now) {
        let elapsed = now.instant.milliseconds(since: lastReport)
        let isDue = elapsed >= limits.timers.cursorMilliseconds
        if isDue { lastReport = now.instant }
        hubs.report(all: isDue, of: shard, &actions)
    }

    /// Ends a connection's session.
    mutating func endSession(_ slot: ConnectionSlot) {
        guard let session = connections[slot]?.phase.session else { return }
        hubs.end(session, of: shard, &actions)
    }
}
