package import HubParcel
package import HubTransport
import HubWire

extension LinkSession {
    /// Takes the next bytes of the connection, wherever they were cut.
    ///
    /// - Parameters:
    ///   - bytes: plaintext in order; borrowed.
    ///   - inflater: the thread's own.
    ///   - now: the turn's time.
    ///   - actions: grows by what happened, in order.
    package mutating func receive(
        _ bytes: Span<UInt8>,
        inflater: inout ParcelInflater,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        guard phase == .opening || phase == .ready, connection.departure == nil else { return }
        if connection.partial.isEmpty {
            let used = consume(bytes, inflater: &inflater, now: now, actions: &actions)
            if used < bytes.count {
                connection.partial = bytes.extracting(used..<bytes.count).copied()
            }
        } else {
            var joined = connection.partial
            connection.partial = []
            joined.reserveCapacity(joined.count + bytes.count)
            for index in bytes.indices { joined.append(bytes[index]) }
            let used = consume(joined.span, inflater: &inflater, now: now, actions: &actions)
            connection.partial = used == 0 ? joined : Array(joined[used...])
        }
        if connection.partial.isEmpty {
            connection.frameDeadline = nil
        } else if connection.frameDeadline == nil {
            connection.frameDeadline = now.instant + .seconds(WireLimits.frameSecondsMax)
        }
        finishInput(now: now, actions: &actions)
    }

    /// Handles whole frames from the front; returns how many bytes are done with.
    private mutating func consume(
        _ bytes: Span<UInt8>,
        inflater: inout ParcelInflater,
        now: TurnTime,
        actions: inout [SessionAction]
    ) -> Int {
        var used = 0
        while connection.departure == nil {
            let rest = bytes.extracting(used..<bytes.count)
            do throws(WireError) {
                let step = try FrameDecoder.step(
                    rest,
                    direction: .hubToDevice,
                    state: phase == .opening ? .waitWelcome : .ready,
                    limits: .device
                )
                switch step {
                case .needMore: return used
                case .skip(let count): used += count
                case .frame(let header):
                    connection.frameDeadline = nil
                    used += header.totalBytes
                    if configuration.keepsFrames, header.type == .deliver {
                        connection.frame = rest.extracting(0..<header.totalBytes).copied()
                    }
                    try receive(
                        header,
                        body: header.body(of: rest),
                        inflater: &inflater,
                        now: now,
                        actions: &actions
                    )
                }
            } catch {
                refuse(error)
            }
        }
        // What follows a departure is not looked at: the position has not moved over it.
        return bytes.count
    }

    private mutating func receive(
        _ header: FrameHeader,
        body: Span<UInt8>,
        inflater: inout ParcelInflater,
        now: TurnTime,
        actions: inout [SessionAction]
    ) throws(WireError) {
        switch header.type {
        case .welcome:
            let welcome = try WelcomeFrame(decoding: body, header: header)
            try receive(welcome, now: now, actions: &actions)
        case .pong:
            receive(try PongFrame(decoding: body, header: header), now: now)
        case .goaway:
            let goaway = try GoawayFrame(decoding: body, header: header)
            end(
                .goaway(
                    reason: goaway.reason,
                    mayReconnect: goaway.mayReconnect,
                    least: .milliseconds(Int(goaway.minDelay)),
                    spread: .milliseconds(Int(goaway.spread))
                )
            )
        case .error:
            let error = try ErrorFrame(decoding: body, header: header)
            receive(error, ref: header.ref, now: now, actions: &actions)
        case .result:
            let result = try ResultFrame(decoding: body, header: header)
            try receive(result, ref: header.ref, now: now, actions: &actions)
        case .deliver:
            let deliver = try DeliverFrame(decoding: body, header: header)
            try receive(deliver, inflater: &inflater, now: now, actions: &actions)
        case .gap:
            try receive(try GapFrame(decoding: body, header: header), actions: &actions)
        case .padding:
            break
        case .hello, .ping, .bye, .window, .register, .unregister, .tags, .ack, .receipts:
            // The decoder refuses these in this direction.
            throw WireError(.wrongDirection, about: header.type)
        }
    }

    /// An ERROR: the session's end, the answer to a request, or something to tell.
    private mutating func receive(
        _ error: ErrorFrame,
        ref: UInt16,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        if error.isFatal || phase == .opening {
            end(
                .refused(
                    code: error.code,
                    aboutHello: error.aboutType == FrameType.hello.rawValue,
                    hasOtherCredentials: hasOtherCredentials,
                    retryAfter: .milliseconds(Int(error.retryAfter))
                )
            )
            actions.append(.hubReported(code: error.code, detail: error.detail))
            return
        }
        let index = connection.outstanding.firstIndex { $0.ref == ref }
        guard ref != 0, let index else {
            actions.append(.hubReported(code: error.code, detail: error.detail))
            return
        }
        let request = connection.outstanding.remove(at: index)
        let answer = RequestAnswer(
            status: error.code,
            retryAfter: .milliseconds(Int(error.retryAfter)),
            detail: error.detail
        )
        refused(request, answer, now: now, actions: &actions)
    }

    /// Tells the hub which rule its bytes broke, and leaves.
    mutating func refuse(_ error: WireError) {
        ErrorFrame(error).encode(into: &output)
        if error.number == .seqGap { sequenceGaps += 1 }
        end(.hubFault(error.number))
    }

    /// Leaves once everything received is stored; the first reason counts.
    mutating func end(_ departure: Departure) {
        guard connection.departure == nil else { return }
        connection.departure = departure
    }

    /// Ends an input: a departure is carried out when nothing waits to be stored.
    mutating func finishInput(now: TurnTime, actions: inout [SessionAction]) {
        if !output.isEmpty { connection.lastSent = now.instant }
        guard let departure = connection.departure, phase != .closing, !needsCommit else { return }
        // What came in earlier reads and waits for its acknowledgement; Protocol [C-2].
        if case .goaway = departure, phase == .ready { acknowledge() }
        phase = .closing
        connection.frameDeadline = nil
        connection.welcomeDeadline = nil
        connection.ackDeadline = nil
        connection.awaitedPong = nil
        connection.retryDeadline = nil
        connection.renewalDeadline = nil
        actions.append(.close(departure))
    }
}
