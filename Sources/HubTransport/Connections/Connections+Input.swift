import CLinux
import Glibc
import HubVocabulary
import TLSRecords

// Events of connections, as the poller reports them.
extension Connections {
    /// Handles one event of a connection; events of earlier connections in a slot do nothing.
    func handle(_ event: belfry_event, _ handler: any ConnectionHandler) {
        guard let slot = table.slot(of: PollToken.connection(of: event.token)) else { return }
        if table[slot].phase == .connecting { return finishConnecting(slot) }
        if event.events & BELFRY_WRITABLE != 0 { sendUnsent(slot, handler) }
        guard event.events & ~BELFRY_WRITABLE != 0 else { return }
        switch table[slot].phase {
        case .free, .connecting, .dead:
            return
        case .handshaking, .open:
            if table[slot].flags.contains(.paused) {
                // Bytes that came before the pause, in this turn, wait until it is over.
                guard event.events & (BELFRY_FAILED | BELFRY_HUNG_UP) != 0 else { return }
                return end(
                    slot,
                    .lost(code: -belfry_socket_error(table[slot].descriptor))
                )
            }
            read(slot, handler)
        case .closing, .lingering:
            LastInput(connections: self).discard(slot)
        }
    }

    /// Takes what one socket has, once, and gives the handler what it says.
    private func read(_ slot: UInt32, _ handler: any ConnectionHandler) {
        let count = wire.receive(
            from: table[slot].descriptor,
            behind: table[slot].record?.begunRecord ?? []
        )
        // A handler may close the connection at any step; what is left of the input is dropped.
        defer { wire.dropInput() }
        if count < 0 {
            if -count == Int(EAGAIN) { return }
            return end(slot, .lost(code: Int32(-count)))
        }
        if count == 0 { return end(slot, .lost(code: 0)) }
        counters.bytesIn += UInt64(count)
        if table[slot].session.isHandedOver, keepBegun(slot) { return }
        table[slot].record?.begunRecord = []
        table.tidy(slot)
        if table[slot].phase == .handshaking {
            if !table[slot].flags.isDisjoint(with: [.awaitsHeader, .mayBeFront]) {
                guard HeaderIntake(connections: self).takeHeader(slot), !wire.isInputEmpty else {
                    return
                }
            }
            guard continueHandshake(slot, handler) else { return }
            if wire.isInputEmpty, !table[slot].session.holdsInput { return }
        }
        let start = beginSealing(slot)
        let (plainCount, cause) = open(slot)
        if cause == .tlsFailure {
            // Only the alert is left to send.
            table[slot].flags.insert(.sealed)
        } else if cause == nil, table[slot].session.isHandedOver, !wire.isInputEmpty {
            // A session of OpenSSL keeps what has begun itself.
            table.record(of: slot).begunRecord = unsafe Array(wire.input)
        }
        collect(slot, from: start)
        if plainCount > 0, table[slot].phase == .open {
            // `open` filled the first `plainCount` bytes; nothing writes there during the call.
            let bytes = unsafe UnsafeBufferPointer(rebasing: plain[0..<plainCount])
            handler.received(
                unsafe Span(_unsafeElements: bytes),
                from: table.id(slot),
                now: now
            )
        }
        guard let cause, table[slot].phase == .open else { return }
        announce(slot, cause)
        if cause == .peer { table[slot].flags.insert(.sealsNotice) }
        beginClosing(slot)
    }

    /// Keeps what has come of a record behind what was kept, when it is not whole yet.
    ///
    /// A peer that sends byte by byte costs a copy in one call for each, not more.
    private func keepBegun(_ slot: UInt32) -> Bool {
        let input = unsafe wire.input
        // Borrowed for the call; nothing receives meanwhile.
        guard unsafe RecordLayer.awaitsMore(Span(_unsafeElements: input)) else { return false }
        let record = table.record(of: slot)
        let known = record.begunRecord.count
        if known == 0 { record.begunRecord.reserveCapacity(2 * input.count) }
        unsafe record.begunRecord.append(contentsOf: input[known...])
        return true
    }

    /// Opens all records in the wire's input; the plaintext's size, and why no more will follow.
    private func open(_ slot: UInt32) -> (count: Int, end: CloseCause?) {
        var count = 0
        while unsafe count < plain.count {
            // The rest of the buffer, behind what was opened before.
            let space = unsafe UnsafeMutableBufferPointer(rebasing: plain[count...])
            let opened = unsafe table[slot].session.open(
                into: space,
                on: wire,
                at: now.instant.nanoseconds
            )
            switch opened {
            case .bytes(let more):
                count += more
                if wire.isInputEmpty, !table[slot].session.holdsInput { return (count, nil) }
            case .wantsInput:
                return (count, nil)
            case .closedByPeer:
                return (count, .peer)
            case .failed:
                return (count, .tlsFailure)
            }
        }
        return (count, nil)
    }
}
