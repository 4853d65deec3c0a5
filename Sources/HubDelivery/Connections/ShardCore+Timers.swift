import HubModel
package import HubVocabulary
import HubWire

/// Deadlines, keep-alive, draining and reports to the directories.
extension ShardCore {
    /// Looks at whatever is due; call about ten times a second.
    package mutating func tick(now: Now) {
        for slot in wheel.due(now: now.instant) { checkDeadlines(Int(slot), now: now) }
        reportProgress(now: now)
    }

    /// Makes sure that a slot is looked at when this deadline comes, or before.
    mutating func arm(_ slot: Int, _ deadline: Instant) {
        guard let state = connections[slot] else { return }
        if let next = state.nextCheck, next <= deadline { return }
        connections[slot]?.nextCheck = wheel.arm(UInt32(slot), at: deadline)
    }

    /// The device will speak again within `seconds`; a quarter and the grace on top.
    ///
    /// Source: Protocol, keep-alive.
    mutating func promise(_ slot: Int, seconds: UInt16, now: Now) {
        // Draining has an end of its own.
        guard hot[slot].kind == .ready else { return }
        let milliseconds = UInt64(seconds) * 1_250 + UInt64(limits.graceSeconds) * 1_000
        connections[slot]?.promiseMilliseconds = UInt32(clamping: milliseconds)
        extendPromise(slot, now: now)
        if let deadline = connections[slot]?.deadline { arm(slot, deadline) }
    }

    /// Any frame of the device restarts the idle timer.
    mutating func extendPromise(_ slot: Int, now: Now) {
        guard let milliseconds = connections[slot]?.promiseMilliseconds, milliseconds > 0 else {
            return
        }
        connections[slot]?.deadline = now.instant.adding(milliseconds: UInt64(milliseconds))
    }

    /// After entries were written: the oldest one must be acknowledged in time.
    mutating func rearm(_ slot: Int, _ session: SessionReference, now: Now) {
        guard !hot[slot].watchesAcks,
            let oldest = hubs[session.hub].sessions[session.index].window.oldestSent
        else { return }
        hot[slot].watchesAcks = true
        arm(slot, oldest.adding(milliseconds: limits.acknowledgementMilliseconds))
    }

    private mutating func checkDeadlines(_ slot: Int, now: Now) {
        guard slot < connections.count, let state = connections[slot] else { return }
        // An entry of an earlier owner, or one that an earlier deadline has replaced.
        guard let check = state.nextCheck, check <= now.instant else { return }
        connections[slot]?.nextCheck = nil
        if let frame = state.frameDeadline, frame <= now.instant {
            fail(slot, .frameTimeout, now: now)
            return
        }
        switch state.phase {
        case .awaitingHello, .attaching:
            if state.deadline <= now.instant {
                fail(slot, .handshakeTimeout, now: now)
                return
            }
        case .ready(let session):
            if state.deadline <= now.instant {
                fail(slot, .idleTimeout, now: now)
                return
            }
            if checkAcks(slot, session, now: now) { return }
        case .draining, .leaving:
            if state.deadline <= now.instant {
                beginClosing(slot, now: now)
                return
            }
        case .closing:
            actions.append(.close(hot[slot].id, afterFlush: true))
            return
        }
        arm(slot, min(state.deadline, state.frameDeadline ?? state.deadline))
    }

    /// Whether the connection was closed because its device does not acknowledge.
    private mutating func checkAcks(_ slot: Int, _ session: SessionReference, now: Now) -> Bool {
        guard hot[slot].watchesAcks else { return false }
        guard let oldest = hubs[session.hub].sessions[session.index].window.oldestSent else {
            hot[slot].watchesAcks = false
            return false
        }
        let deadline = oldest.adding(milliseconds: limits.acknowledgementMilliseconds)
        if deadline <= now.instant {
            fail(slot, .ackTimeout, now: now)
            return true
        }
        arm(slot, deadline)
        return false
    }

    // MARK: Draining

    /// Tells every device to come back later, spread over `spreadMilliseconds`, and reads their
    /// acknowledgements for a while.
    package mutating func drain(spreadMilliseconds: UInt32, now: Now) {
        isDraining = true
        for slot in connections.indices where connections[slot] != nil {
            sendGoaway(slot, spreadMilliseconds: spreadMilliseconds, now: now)
        }
    }

    /// Tells one device to come back over another connection, and reads its acknowledgements for a
    /// while.
    ///
    /// Source: rules D.2.
    package mutating func retire(_ id: ConnectionID, now: Now) {
        guard let slot = known(id) else { return }
        sendGoaway(slot, spreadMilliseconds: 0, now: now)
    }

    mutating func sendGoaway(_ slot: Int, spreadMilliseconds: UInt32, now: Now) {
        switch connections[slot]?.phase {
        case nil, .leaving, .closing, .draining: return
        case .awaitingHello, .attaching:
            fail(slot, .draining, retryAfterMilliseconds: 1_000, now: now)
        case .ready(let session):
            let goaway = GoawayFrame(reason: .drain, minDelay: 1_000, spread: spreadMilliseconds)
            control(slot) { goaway.encode(into: &$0) }
            enter(.draining(session), slot)
            let deadline = now.instant.adding(milliseconds: limits.drainMilliseconds)
            connections[slot]?.deadline = deadline
            connections[slot]?.promiseMilliseconds = 0
            hubs[session.hub].stepBack(session.index)
            arm(slot, deadline)
        }
    }

    // MARK: Progress

    /// Tells the directories how far devices have come and what was counted, in groups.
    mutating func reportProgress(now: Now) {
        let elapsed = now.instant.milliseconds(since: lastReport)
        let isDue = elapsed >= limits.cursorMilliseconds
        if isDue { lastReport = now.instant }
        for hub in hubs where isDue || hub.isReportFull { report(hub) }
    }

    private mutating func report(_ hub: HubShard, ending index: SessionIndex? = nil) {
        guard let report = hub.takeReport(of: shard, ending: index) else { return }
        actions.append(.directory(hub.name, .progress(report)))
    }

    /// Ends a connection's session: its cursor is reported, with all that was counted before; its
    /// place is freed.
    mutating func endSession(_ slot: Int, now: Now) {
        let session: SessionReference
        switch connections[slot]?.phase {
        case .ready(let found), .draining(let found), .leaving(let found): session = found
        case nil, .awaitingHello, .attaching, .closing: return
        }
        let hub = hubs[session.hub]
        let cursor = hub.cursor(of: session.index)
        if case .catchingUp(let state) = hub.sessions[session.index].mode, state.isReading {
            actions.append(
                .forgetRead(
                    hub.name,
                    cursor.device,
                    sessionGeneration: cursor.sessionGeneration
                )
            )
        }
        if hub.leavesTrace(session.index) { report(hub, ending: session.index) }
        actions.append(
            .directory(
                hub.name,
                .detach(device: cursor.device, sessionGeneration: cursor.sessionGeneration)
            )
        )
        hub.remove(session.index)
    }
}
