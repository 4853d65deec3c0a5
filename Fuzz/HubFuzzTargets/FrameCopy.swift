package import HubWire

/// Decodes a body and encodes it again, the way hub and device do.
package enum FrameCopy {
    /// The frame made from the decoded fields of `body`.
    ///
    /// - Throws: What the decoder says; what was decoded never fails to be encoded.
    package static func bytes(
        _ header: FrameHeader,
        _ body: Span<UInt8>
    ) throws(WireError) -> [UInt8] {
        var bytes: [UInt8] = []
        switch header.type {
        case .hello:
            let frame = try HelloFrame(decoding: body, header: header)
            let auth = frame.auth.copied
            let message = frame.message
            encoded { () throws(WireError) in try message.encode(auth: auth, into: &bytes) }
        case .welcome:
            try WelcomeFrame(decoding: body, header: header).encode(into: &bytes)
        case .ping: try PingFrame(decoding: body, header: header).encode(into: &bytes)
        case .pong: try PongFrame(decoding: body, header: header).encode(into: &bytes)
        case .goaway:
            try GoawayFrame(decoding: body, header: header).encode(into: &bytes)
        case .bye: try ByeFrame(decoding: body, header: header).encode(into: &bytes)
        case .error:
            try ErrorFrame(decoding: body, header: header).encode(into: &bytes, ref: header.ref)
        case .window: try WindowFrame(decoding: body, header: header).encode(into: &bytes)
        case .register:
            let message = RegisterMessage(try RegisterFrame(decoding: body, header: header))
            encoded { () throws(WireError) in try message.encode(into: &bytes, ref: header.ref) }
        case .unregister:
            try UnregisterFrame(decoding: body, header: header).encode(into: &bytes)
        case .tags:
            let message = TagsMessage(try TagsFrame(decoding: body, header: header))
            encoded { () throws(WireError) in try message.encode(into: &bytes, ref: header.ref) }
        case .result:
            try ResultFrame(decoding: body, header: header).encode(into: &bytes, ref: header.ref)
        case .deliver: bytes = delivery(try DeliverFrame(decoding: body, header: header), body)
        case .ack: try AckFrame(decoding: body, header: header).encode(into: &bytes)
        case .gap: try GapFrame(decoding: body, header: header).encode(into: &bytes)
        case .receipts:
            let frame = try ReceiptsFrame(decoding: body, header: header)
            ReceiptsMessage(frame).encode(into: &bytes, ref: frame.ref)
        case .padding: PaddingFrame.encode(count: header.length, into: &bytes)
        }
        return bytes
    }

    /// An encoder refuses only what a decoder would refuse, so it can't refuse what was decoded.
    private static func encoded(_ encode: () throws(WireError) -> Void) {
        do throws(WireError) { try encode() } catch {
            preconditionFailure("what was decoded can't be encoded: \(error)")
        }
    }

    private static func delivery(
        _ frame: borrowing DeliverFrame,
        _ body: Span<UInt8>
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = DeliverWriter(previousSeq: frame.prevSeq, into: &bytes)
        var iterator = frame.makeIterator()
        var entries = 0
        while let entry = iterator.next() {
            precondition(entry.parcel.upperBound <= body.count, "a parcel leaves its frame")
            precondition(entry.parcel.count >= WireLimits.parcelBytesMin)
            writer.append(
                seqDelta: entry.seqDelta,
                slot: entry.slot,
                flags: entry.eflags,
                parcel: frame.parcel(entry),
                into: &bytes
            )
            entries += 1
        }
        precondition(entries == frame.count, "\(entries) entries of \(frame.count)")
        writer.finish(backlog: frame.backlog, into: &bytes)
        precondition(writer.completeSeq == frame.completeSeq, "reader and writer differ")
        return bytes
    }
}
