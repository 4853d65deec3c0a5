import CLinux
import Glibc
package import HubVocabulary

// From plaintext to the socket: kept for the turn, sealed, submitted, the rest held back.
extension Connections {
    /// Gives a connection bytes, all of them or none, to leave at the end of the turn.
    ///
    /// Everything a connection is given in a turn leaves as one send: one record up to 16 KiB.
    /// At most `limits.turnBytes` at once; a larger count is a programmer's error.
    package func write(_ connection: ConnectionID, _ bytes: Span<UInt8>) -> WriteResult {
        guard let slot = table.slot(of: connection) else { return .closed }
        let result = prepare(slot, count: bytes.count)
        if result != .accepted { return result }
        unsafe bytes.withUnsafeBufferPointer { source in
            // `prepare` made room for this count; both are distinct memory.
            _ = unsafe output.space(source.count).initialize(from: source)
        }
        output.append(bytes.count, to: &table[slot].output)
        return .accepted
    }

    /// The same for bytes that are made in place: `fill` appends at most `capacity` bytes and must
    /// not call this object.
    package func write(
        _ connection: ConnectionID,
        upTo capacity: Int,
        _ fill: (inout OutputSpan<UInt8>) -> Void
    ) -> WriteResult {
        guard let slot = table.slot(of: connection) else { return .closed }
        let result = prepare(slot, count: capacity)
        if result != .accepted { return result }
        let space = unsafe output.space(capacity)
        // The memory is the arena's, not in use, and stays while the span lives.
        var span = unsafe OutputSpan(buffer: space, initializedCount: 0)
        fill(&span)
        let count = unsafe span.finalize(for: space)
        output.append(count, to: &table[slot].output)
        return .accepted
    }

    private func prepare(_ slot: UInt32, count: Int) -> WriteResult {
        precondition(count <= limits.turnBytes, "a write of \(count) bytes")
        if count > output.room { flush() }
        guard table[slot].phase == .open else { return .closed }
        if table[slot].flags.contains(.blocked)
            || Int(table[slot].output.bytes) + count > limits.turnBytes
        {
            if !table[slot].flags.contains(.owesWritable) {
                table[slot].flags.insert(.owesWritable)
                if !table[slot].flags.contains(.blocked) { work.owed.append(table.id(slot)) }
            }
            return .blocked
        }
        if count > 0 { markDirty(slot) }
        return .accepted
    }

    func markDirty(_ slot: UInt32) {
        guard !table[slot].flags.contains(.dirty) else { return }
        table[slot].flags.insert(.dirty)
        work.dirty.append(slot)
    }

    /// Seals and submits everything connections were given.
    func flush() {
        var index = 0
        while index < work.dirty.count {
            seal(work.dirty[index])
            index += 1
        }
        work.dirty.removeAll(keepingCapacity: true)
        submit()
        output.removeAll()
    }

    private func seal(_ slot: UInt32) {
        let chain = table[slot].output
        table[slot].flags.remove(.dirty)
        table[slot].output = TurnOutput.Chain()
        let phase = table[slot].phase
        guard phase == .open || phase == .closing else { return }
        if table[slot].flags.contains(.sealed) { return lingerIfSent(slot) }
        let start = beginSealing(slot)
        if chain.bytes > 0 {
            counters.records += UInt64((Int(chain.bytes) - 1) / BufferSizes.recordBytes + 1)
            guard unsafe table[slot].session.seal(output.bytes(of: chain), on: wire) else {
                wire.truncateOutput(to: start)
                return end(slot, .tlsFailure)
            }
            noteWear(slot)
        }
        if phase == .closing {
            if table[slot].flags.contains(.sealsNotice) {
                table[slot].session.sealCloseNotify(on: wire)
            }
            table[slot].flags.insert(.sealed)
        }
        collect(slot, from: start)
    }

    /// Has the handler told, once, when a connection's key is nearly used up.
    private func noteWear(_ slot: UInt32) {
        guard table[slot].session.isWorn(wire.recordLimits),
            !table[slot].flags.contains(.worn)
        else { return }
        table[slot].flags.insert(.worn)
        work.worn.append(table.id(slot))
    }

    /// Makes room for what a session is about to say; where its bytes will start.
    func beginSealing(_ slot: UInt32) -> Int {
        if batch.isFull || table[slot].flags.contains(.inBatch)
            || wire.outputCount >= BufferSizes.sealedBatch
        {
            submit()
        }
        return wire.outputCount
    }

    /// Takes what a session has said since `start` as the connection's next bytes.
    func collect(_ slot: UInt32, from start: Int) {
        let count = wire.outputCount - start
        if table[slot].phase == .dead {
            return wire.truncateOutput(to: start)
        }
        if count == 0 { return lingerIfSent(slot) }
        if table[slot].flags.contains(.blocked) {
            keep(slot, from: start, count: count)
            return wire.truncateOutput(to: start)
        }
        table[slot].flags.insert(.inBatch)
        batch.append(
            OutputEntry(
                slot: slot,
                generation: table[slot].generation,
                descriptor: table[slot].descriptor,
                start: start,
                count: count,
                result: 0
            )
        )
    }

    /// Hands the sealed bytes of all connections in the batch to the kernel.
    func submit() {
        guard batch.count > 0 else { return }
        unsafe batch.submit(with: &submitter, from: wire.output)
        for index in 0..<batch.count { submitted(batch[index]) }
        batch.removeAll()
        wire.truncateOutput(to: 0)
    }

    private func submitted(_ entry: OutputEntry) {
        let slot = entry.slot
        table[slot].flags.remove(.inBatch)
        guard table[slot].phase != .dead else { return }
        counters.sends += 1
        if entry.result == entry.count {
            counters.bytesOut += UInt64(entry.count)
            return lingerIfSent(slot)
        }
        if entry.result < 0, -entry.result != Int(EAGAIN) {
            return end(slot, .lost(code: Int32(-entry.result)))
        }
        let taken = max(0, entry.result)
        counters.bytesOut += UInt64(taken)
        counters.blockedSends += 1
        keep(slot, from: entry.start + taken, count: entry.count - taken)
    }

    /// Holds sealed bytes back until the socket has room; sealed bytes are never dropped.
    private func keep(_ slot: UInt32, from start: Int, count: Int) {
        let record = table.record(of: slot)
        let bytes = unsafe UnsafeBufferPointer(start: wire.output + start, count: count)
        // The range lies within the wire's output, and the array copies it.
        unsafe record.unsent.append(contentsOf: bytes)
        if record.unsent.count - record.unsentStart > limits.unsentBytes {
            return end(slot, .unreadOutput)
        }
        guard !table[slot].flags.contains(.blocked) else { return }
        table[slot].flags.insert(.blocked)
        if table[slot].phase == .open { armUnread(slot) }
        updateInterest(slot)
    }

    /// The socket has room for bytes that were held back.
    func sendUnsent(_ slot: UInt32, _ handler: any ConnectionHandler) {
        guard table[slot].flags.contains(.blocked), let record = table[slot].record else { return }
        let start = record.unsentStart
        let sent = unsafe record.unsent.withUnsafeBufferPointer { unsent in
            // The tail that was not sent yet, never empty while blocked.
            let rest = unsafe UnsafeBufferPointer(rebasing: unsent[start...])
            return unsafe belfry_send(table[slot].descriptor, rest.baseAddress, rest.count)
        }
        counters.sends += 1
        if sent < 0 {
            if -sent != Int(EAGAIN) { end(slot, .lost(code: Int32(-sent))) }
            return
        }
        counters.bytesOut += UInt64(sent)
        record.unsentStart += sent
        if record.unsentStart < record.unsent.count {
            if table[slot].phase == .open {
                table[slot].deadline = now.instant.deadline(in: limits.timers.unreadMilliseconds)
            }
            return
        }
        record.unsent = []
        record.unsentStart = 0
        table.tidy(slot)
        table[slot].flags.remove(.blocked)
        updateInterest(slot)
        guard table[slot].phase == .open else { return lingerIfSent(slot) }
        table[slot].deadline = 0
        table[slot].flags.remove(.owesWritable)
        handler.writable(table.id(slot), now: now)
    }

    /// Starts, or starts anew, the time a peer has to read something.
    func armUnread(_ slot: UInt32) {
        let due = now.instant.deadline(in: limits.timers.unreadMilliseconds)
        table[slot].deadline = due
        guard !table[slot].flags.contains(.inUnreadQueue) else { return }
        table[slot].flags.insert(.inUnreadQueue)
        timers.unread.append(table.id(slot), at: due)
    }
}
