import CLinux
package import HubVocabulary

// How connections end.
extension Connections {
    /// Ends a connection; `closed` or `connectFailed` follows within the turn.
    package func close(_ connection: ConnectionID, _ mode: CloseMode) {
        guard let slot = table.slot(of: connection) else { return }
        switch table[slot].phase {
        case .free, .closing, .lingering, .dead: return
        case .connecting, .handshaking: endOpening(slot, .abandoned)
        case .open:
            announce(slot, .local)
            guard mode == .afterFlush else { return die(slot) }
            table[slot].flags.insert(.sealsNotice)
            beginClosing(slot)
        }
    }

    /// Notes an end that the handler is to be told, once.
    func announce(_ slot: UInt32, _ cause: CloseCause) {
        guard table[slot].flags.contains(.opened), !table[slot].flags.contains(.announced) else {
            return
        }
        table[slot].flags.formUnion([.announced, .untold])
        counters.closed += 1
        work.ended.append(.closed(table.id(slot), cause))
    }

    /// Sends what is left, within the close deadline.
    func beginClosing(_ slot: UInt32) {
        table[slot].phase = .closing
        let due = now.instant.deadline(in: limits.timers.closeMilliseconds)
        table[slot].deadline = due
        timers.closing.append(table.id(slot), at: due)
        updateInterest(slot)
        markDirty(slot)
    }

    /// Ends the stream once nothing is left to send.
    func lingerIfSent(_ slot: UInt32) {
        let flags = table[slot].flags
        guard table[slot].phase == .closing, flags.contains(.sealed),
            flags.isDisjoint(with: [.blocked, .inBatch])
        else { return }
        if flags.contains(.inputEnded) { return die(slot) }
        table[slot].phase = .lingering
        belfry_finish_writing(table[slot].descriptor)
        updateInterest(slot)
    }

    /// Ends a connection in any state, without a further word to the peer.
    func end(_ slot: UInt32, _ cause: CloseCause) {
        switch table[slot].phase {
        case .free, .dead:
            return
        case .connecting:
            endOpening(slot, .abandoned)
        case .handshaking:
            endOpening(
                slot,
                cause == .stopped ? .abandoned : .handshake(.lost, verification: 0)
            )
        case .open:
            if cause == .unreadOutput { counters.unread += 1 }
            announce(slot, cause)
            die(slot)
        case .closing, .lingering:
            die(slot)
        }
    }

    /// Leaves a connection to be released at the end of the turn.
    func die(_ slot: UInt32) {
        table[slot].phase = .dead
        work.dead.append(slot)
    }

    /// Tells the handler of every end so far, and whether there was one; those it causes meanwhile
    /// are told next time.
    @discardableResult
    func tellEnded(_ handler: any ConnectionHandler) -> Bool {
        guard !work.ended.isEmpty else { return false }
        let batch = work.ended
        work.ended = []
        for next in batch {
            switch next {
            case .closed(let connection, let cause):
                table[connection.slot].flags.remove(.untold)
                handler.closed(connection, cause: cause, now: now)
            case .failed(let connection, let failure):
                table[connection.slot].flags.remove(.untold)
                handler.connectFailed(connection, cause: failure, now: now)
            }
        }
        return true
    }

    /// Frees the slots of ended connections that the handler knows about.
    func releaseDead() {
        guard !work.dead.isEmpty else { return }
        var waiting: [UInt32] = []
        var hasKeys = false
        for slot in work.dead {
            guard table[slot].flags.isDisjoint(with: [.dirty, .untold]) else {
                waiting.append(slot)
                continue
            }
            uncount(slot)
            // Closing takes it out of the poller.
            if table[slot].descriptor >= 0 { belfry_close(table[slot].descriptor) }
            if table[slot].session.isHandedOver { hasKeys = true }
            table.release(slot)
        }
        if hasKeys { wire.cipher?.forget() }
        work.dead = waiting
    }
}
