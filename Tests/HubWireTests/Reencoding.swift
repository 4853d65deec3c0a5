import HubWire

/// Encodes again what was decoded, through the messages that hub and device use.
enum Reencoding {
    /// The bytes of a frame made from the decoded fields of `body`.
    static func bytes(
        _ header: FrameHeader,
        _ body: Span<UInt8>
    ) throws(WireError) -> [UInt8] {
        var bytes: [UInt8] = []
        switch header.type {
        case .hello:
            let frame = try HelloFrame(decoding: body, header: header)
            var auth: [UInt8] = []
            for index in frame.auth.indices { auth.append(frame.auth[index]) }
            try HelloMessage(frame).encode(auth: auth, into: &bytes)
        case .welcome:
            WelcomeMessage(try WelcomeFrame(decoding: body, header: header)).encode(into: &bytes)
        case .ping: try PingFrame(decoding: body, header: header).encode(into: &bytes)
        case .pong: try PongFrame(decoding: body, header: header).encode(into: &bytes)
        case .goaway:
            GoawayMessage(try GoawayFrame(decoding: body, header: header)).encode(into: &bytes)
        case .bye: try ByeFrame(decoding: body, header: header).encode(into: &bytes)
        case .error:
            let frame = try ErrorFrame(decoding: body, header: header)
            ErrorMessage(frame).encode(into: &bytes, ref: frame.ref)
        case .window: try WindowFrame(decoding: body, header: header).encode(into: &bytes)
        case .register:
            let frame = try RegisterFrame(decoding: body, header: header)
            try RegisterMessage(frame).encode(into: &bytes, ref: frame.ref)
        case .unregister:
            try UnregisterFrame(decoding: body, header: header).encode(into: &bytes)
        case .tags:
            let frame = try TagsFrame(decoding: body, header: header)
            try TagsMessage(frame).encode(into: &bytes, ref: frame.ref)
        case .result:
            let frame = try ResultFrame(decoding: body, header: header)
            ResultMessage(frame).encode(into: &bytes, ref: frame.ref)
        case .deliver: bytes = delivery(try DeliverFrame(decoding: body, header: header))
        case .ack: try AckFrame(decoding: body, header: header).encode(into: &bytes)
        case .gap: try GapFrame(decoding: body, header: header).encode(into: &bytes)
        case .receipts:
            let frame = try ReceiptsFrame(decoding: body, header: header)
            ReceiptsMessage(frame).encode(into: &bytes, ref: frame.ref)
        case .padding: PaddingFrame.encode(count: header.length, into: &bytes)
        }
        return bytes
    }

    private static func delivery(_ frame: borrowing DeliverFrame) -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = DeliverWriter(previousSeq: frame.prevSeq, into: &bytes)
        var iterator = frame.makeIterator()
        while let entry = iterator.next() {
            writer.append(
                seqDelta: entry.seqDelta,
                slot: entry.slot,
                flags: entry.eflags,
                parcel: frame.parcel(entry),
                into: &bytes
            )
        }
        writer.finish(backlog: frame.backlog, into: &bytes)
        precondition(writer.completeSeq == frame.completeSeq, "reader and writer differ")
        return bytes
    }
}
