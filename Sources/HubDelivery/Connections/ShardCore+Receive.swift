package import HubVocabulary
import HubWire

/// Bytes from devices: framing, rates, and the state each frame is allowed in.
extension ShardCore {
    /// Takes what a connection sent; the bytes are borrowed for the call only.
    ///
    /// Complete frames are decoded where they lie. Only the tail of an unfinished one is copied,
    /// after its header has passed every check.
    package mutating func receive(_ bytes: Span<UInt8>, from id: ConnectionID, now: Now) {
        guard let slot = known(id) else { return }
        guard hot[slot].kind.hears else { return }
        guard let held = connections[slot]?.partial, !held.isEmpty else {
            let rest = decode(bytes, slot: slot, now: now)
            keep(bytes, from: rest, slot: slot, now: now)
            return
        }
        connections[slot]?.partial = []
        var joined = held
        joined.append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
        let rest = decode(joined.span, slot: slot, now: now)
        keep(joined.span, from: rest, slot: slot, now: now)
    }

    private mutating func keep(_ bytes: Span<UInt8>, from start: Int, slot: Int, now: Now) {
        guard connections[slot] != nil, hot[slot].kind.hears else { return }
        let count = bytes.count - start
        guard count > 0 else {
            connections[slot]?.frameDeadline = nil
            return
        }
        if hot[slot].kind == .attaching, count > WireLimits.earlyBytesMax {
            refuse(slot, WireError(.wrongState, aboutType: bytes[start]), now: now)
            return
        }
        var tail: [UInt8] = []
        tail.reserveCapacity(count)
        for index in start..<bytes.count { tail.append(bytes[index]) }
        connections[slot]?.partial = tail
        // What waits for WELCOME is not late.
        guard hot[slot].kind != .attaching else {
            connections[slot]?.frameDeadline = nil
            return
        }
        if start > 0 || connections[slot]?.frameDeadline == nil {
            let deadline = now.instant.adding(milliseconds: limits.frameMilliseconds)
            connections[slot]?.frameDeadline = deadline
            arm(slot, deadline)
        }
    }

    /// Handles every complete frame; the index behind the last one.
    private mutating func decode(_ bytes: Span<UInt8>, slot: Int, now: Now) -> Int {
        var start = 0
        while start < bytes.count {
            let kind = hot[slot].kind
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
                extendPromise(slot, now: now)
                guard admit(slot, bytes: count, now: now) else { return bytes.count }
                start += count
            case .frame(let header):
                extendPromise(slot, now: now)
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
    mutating func readEarly(_ slot: Int, now: Now) {
        guard let early = connections[slot]?.partial, !early.isEmpty else { return }
        connections[slot]?.partial = []
        let rest = decode(early.span, slot: slot, now: now)
        keep(early.span, from: rest, slot: slot, now: now)
    }

    /// Counts a frame against the connection's rates; false when it was one too many.
    mutating func admit(_ slot: Int, bytes: Int, now: Now) -> Bool {
        guard hot[slot].kind == .ready else { return true }
        let limits = limits
        let refusals = update(slot) { state -> UInt16 in
            let isAllowed =
                state.frames.take(
                    1,
                    perSecond: limits.framesPerSecond,
                    burst: limits.framesBurst,
                    now: now.instant
                )
                && state.bytes.take(
                    UInt32(clamping: bytes),
                    perSecond: limits.bytesPerSecond,
                    burst: limits.bytesBurst,
                    now: now.instant
                )
            if !isAllowed { state.refusals = min(state.refusals, .max - 1) + 1 }
            return isAllowed ? 0 : state.refusals
        }
        guard let refusals, Int(refusals) > limits.refusalsMax else { return true }
        fail(slot, .rateLimited, retryAfterMilliseconds: 10_000, isFatal: true, now: now)
        return false
    }

    private mutating func handle(
        _ header: FrameHeader,
        body: Span<UInt8>,
        slot: Int,
        now: Now
    ) {
        do throws(WireError) {
            if let session = hot[slot].session {
                try handleReady(header, body: body, slot: slot, session: session, now: now)
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
                try handleDraining(header, body: body, slot: slot, session: session, now: now)
            }
        } catch {
            refuse(slot, error, now: now)
        }
    }

    // MARK: Refusing

    /// Answers a decoder's or session's refusal and closes: the stream can no longer be trusted.
    mutating func refuse(_ slot: Int, _ error: WireError, now: Now) {
        guard hot[slot].kind != .closing else { return }
        counters.errors[error.number, default: 0] += 1
        control(slot) { ErrorFrame(error).encode(into: &$0) }
        beginClosing(slot, now: now)
    }

    /// Sends ERROR and closes unless it says that the session goes on.
    mutating func fail(
        _ slot: Int,
        _ number: ErrorNumber,
        retryAfterMilliseconds: UInt32 = 0,
        isFatal: Bool? = nil,
        detail: String = "",
        now: Now
    ) {
        guard hot[slot].kind != .closing else { return }
        counters.errors[number, default: 0] += 1
        let message = ErrorFrame(
            number,
            isFatal: isFatal,
            retryAfter: retryAfterMilliseconds,
            detail: detail
        )
        control(slot) { message.encode(into: &$0) }
        if message.isFatal { beginClosing(slot, now: now) }
    }

    /// Nothing more is read; the connection goes when every request has its answer. [C-1]
    mutating func leave(_ slot: Int, _ session: SessionReference, now: Now) {
        guard connections[slot]?.outstanding.isEmpty == false else {
            beginClosing(slot, now: now)
            return
        }
        hubs[session.hub].stepBack(session.index)
        enter(.leaving(session), slot)
        connections[slot]?.partial = []
        connections[slot]?.frameDeadline = nil
        let deadline = now.instant.adding(milliseconds: limits.drainMilliseconds)
        connections[slot]?.deadline = deadline
        arm(slot, deadline)
    }

    /// An answer was written: the last one ends a connection whose device has left.
    mutating func endLeaving(_ slot: Int, now: Now) {
        let isAnswered = connections[slot]?.outstanding.isEmpty == true
        if hot[slot].kind == .leaving, isAnswered { beginClosing(slot, now: now) }
    }

    /// Nothing more is read; what is written goes out, then the connection.
    mutating func beginClosing(_ slot: Int, now: Now) {
        endSession(slot, now: now)
        enter(.closing, slot)
        hot[slot].closesAfterFlush = true
        connections[slot]?.partial = []
        markDirty(slot)
    }
}
