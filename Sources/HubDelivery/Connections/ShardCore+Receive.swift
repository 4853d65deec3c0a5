package import HubVocabulary
import HubWire

/// Bytes from devices: framing, rates, and the state each frame is allowed in.
extension ShardCore {
    /// Takes what a connection sent; the bytes are borrowed for the call only.
    ///
    /// Complete frames are decoded where they lie. Only the tail of an unfinished one is copied,
    /// after its header has passed every check, and each of its bytes once.
    package mutating func receive(_ bytes: Span<UInt8>, from id: ConnectionID, now: Now) {
        guard let slot = connections.slot(of: id), connections[hot: slot].kind.hears else { return }
        var joined = connections.takePartial(slot)
        guard !joined.isEmpty else {
            let done = decode(bytes, slot: slot, now: now)
            let tail = [UInt8](copying: bytes.extracting(done..<bytes.count))
            keep(tail, behind: done, slot: slot, now: now)
            return
        }
        joined.append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
        read(joined, slot: slot, now: now)
    }

    private mutating func read(_ bytes: [UInt8], slot: ConnectionSlot, now: Now) {
        let done = decode(bytes.span, slot: slot, now: now)
        keep(done == 0 ? bytes : Array(bytes[done...]), behind: done, slot: slot, now: now)
    }

    /// Keeps the tail of what came, behind so many bytes that are done with.
    private mutating func keep(_ tail: [UInt8], behind done: Int, slot: ConnectionSlot, now: Now) {
        guard connections[slot] != nil, connections[hot: slot].kind.hears else { return }
        guard let first = tail.first else {
            connections[slot]?.frameDeadline = nil
            return
        }
        if connections[hot: slot].kind == .attaching, tail.count > WireLimits.earlyBytesMax {
            refuse(slot, WireError(.wrongState, aboutType: first), now: now)
            return
        }
        connections[slot]?.partial = tail
        // What waits for WELCOME is not late.
        guard connections[hot: slot].kind != .attaching else {
            connections[slot]?.frameDeadline = nil
            return
        }
        if done > 0 || connections[slot]?.frameDeadline == nil {
            let deadline = now.instant.adding(milliseconds: limits.timers.frameMilliseconds)
            connections[slot]?.frameDeadline = deadline
            connections.arm(slot, deadline)
        }
    }

    /// Handles every complete frame; the index behind the last one.
    private mutating func decode(_ bytes: Span<UInt8>, slot: ConnectionSlot, now: Now) -> Int {
        var start = 0
        while start < bytes.count {
            let kind = connections[hot: slot].kind
            guard kind.hears else { return bytes.count }
            // What comes before WELCOME waits for it.
            if kind == .attaching { return start }
            let rest = bytes.extracting(start..<bytes.count)
            let step: FrameStep
            do throws(WireError) {
                step = try FrameDecoder.step(
                    rest,
                    direction: .deviceToHub,
                    state: kind == .awaitingHello ? .waitHello : .ready,
                    limits: .hub
                )
            } catch {
                refuse(slot, error, now: now)
                return bytes.count
            }
            switch step {
            case .needMore: return start
            case .skip(let count):
                connections.extendPromise(slot, now: now.instant)
                guard admit(slot, bytes: count, now: now) else { return bytes.count }
                start += count
            case .frame(let header):
                connections.extendPromise(slot, now: now.instant)
                // An ACK is counted where it is known whether it moves anything.
                guard header.type == .ack || admit(slot, bytes: header.totalBytes, now: now) else {
                    return bytes.count
                }
                counters.framesReceived += 1
                handle(header, body: header.body(of: rest), slot: slot, now: now)
                start += header.totalBytes
            }
        }
        return start
    }

    /// Reads what the device sent before it had WELCOME.
    mutating func readEarly(_ slot: ConnectionSlot, now: Now) {
        let early = connections.takePartial(slot)
        if !early.isEmpty { read(early, slot: slot, now: now) }
    }

    /// Counts a frame against the connection's rates; false when it was one too many.
    mutating func admit(_ slot: ConnectionSlot, bytes: Int, now: Now) -> Bool {
        let kind = connections[hot: slot].kind
        guard kind == .ready || kind == .draining else { return true }
        let isAdmitted = connections[slot]?.admit(bytes: bytes, limits, now: now.instant)
        guard isAdmitted == false else { return true }
        fail(slot, .rateLimited, retryAfterMilliseconds: 10_000, isFatal: true, now: now)
        return false
    }

    private mutating func handle(
        _ header: FrameHeader,
        body: Span<UInt8>,
        slot: ConnectionSlot,
        now: Now
    ) {
        do throws(WireError) {
            if let session = connections[hot: slot].session {
                try handleOpen(header, body: body, slot: slot, session: session, now: now)
                return
            }
            switch connections[slot]?.phase {
            case nil, .leaving, .closing, .ready: return
            case .awaitingHello:
                let hello = try HelloFrame(decoding: body, header: header)
                receiveHello(hello, slot: slot, now: now)
            case .attaching:
                throw WireError(.wrongState, about: header.type)
            case .draining(let session):
                try handleOpen(header, body: body, slot: slot, session: session, now: now)
            }
        } catch {
            refuse(slot, error, now: now)
        }
    }

    // MARK: Refusing

    /// Answers a decoder's or session's refusal and closes: the stream can no longer be trusted.
    mutating func refuse(_ slot: ConnectionSlot, _ error: WireError, now: Now) {
        guard connections[hot: slot].kind != .closing else { return }
        counters.errors[error.number, default: 0] += 1
        connections.control(slot) { ErrorFrame(error).encode(into: &$0) }
        beginClosing(slot, now: now)
    }

    /// Sends ERROR and closes unless it says that the session goes on.
    mutating func fail(
        _ slot: ConnectionSlot,
        _ number: ErrorNumber,
        retryAfterMilliseconds: UInt32 = 0,
        isFatal: Bool? = nil,
        detail: String = "",
        now: Now
    ) {
        guard connections[hot: slot].kind != .closing else { return }
        counters.errors[number, default: 0] += 1
        let message = ErrorFrame(
            number,
            isFatal: isFatal,
            retryAfter: retryAfterMilliseconds,
            detail: detail
        )
        connections.control(slot) { message.encode(into: &$0) }
        if message.isFatal { beginClosing(slot, now: now) }
    }

    /// Nothing more is read; the connection goes when every request has its answer. [C-1]
    mutating func leave(_ slot: ConnectionSlot, _ session: SessionReference, now: Now) {
        guard connections[slot]?.outstanding.isEmpty == false else {
            beginClosing(slot, now: now)
            return
        }
        hubs[session.hub].stepBack(session.index)
        connections.enter(.leaving(session), slot)
        connections[slot]?.partial = []
        connections[slot]?.frameDeadline = nil
        connections.setDeadline(
            slot,
            now.instant.adding(milliseconds: limits.timers.drainMilliseconds)
        )
    }

    /// An answer was written: the last one ends a connection whose device has left.
    mutating func endLeaving(_ slot: ConnectionSlot, now: Now) {
        let isAnswered = connections[slot]?.outstanding.isEmpty == true
        if connections[hot: slot].kind == .leaving, isAnswered { beginClosing(slot, now: now) }
    }

    /// Nothing more is read; what is written goes out, then the connection.
    mutating func beginClosing(_ slot: ConnectionSlot, now: Now) {
        endSession(slot)
        connections.enter(.closing, slot)
        connections[hot: slot].closesAfterFlush = true
        connections[slot]?.partial = []
        connections.markDirty(slot)
    }
}
