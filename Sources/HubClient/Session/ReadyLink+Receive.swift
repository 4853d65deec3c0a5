import HubParcel
import HubWire

extension ReadyLink {
    /// Takes a frame; returns what ends the session.
    mutating func take(
        _ header: FrameHeader,
        body: Span<UInt8>,
        _ core: inout SessionCore,
        _ inflater: inout ParcelInflater
    ) throws(WireError) -> Departure? {
        switch header.type {
        case .pong: receive(try PongFrame(decoding: body, header: header), &core)
        case .goaway: return Departure(try GoawayFrame(decoding: body, header: header))
        case .error:
            return receive(try ErrorFrame(decoding: body, header: header), ref: header.ref, &core)
        case .result:
            try receive(try ResultFrame(decoding: body, header: header), ref: header.ref, &core)
        case .deliver:
            let deliver = try DeliverFrame(decoding: body, header: header)
            try receive(deliver, &core, &inflater)
        case .gap: try receive(try GapFrame(decoding: body, header: header), &core)
        case .padding: break
        case .hello, .welcome, .ping, .bye, .window, .register, .unregister, .tags, .ack,
            .receipts:
            // The decoder refuses these in this direction, and a second WELCOME.
            throw WireError(.wrongDirection, about: header.type)
        }
        return nil
    }

    /// An ERROR: the session's end, the answer to a request, or something to tell.
    private mutating func receive(
        _ error: ErrorFrame,
        ref: UInt16,
        _ core: inout SessionCore
    ) -> Departure? {
        guard !error.isFatal else { return core.departure(for: error) }
        guard let request = requests.take(ref) else {
            core.actions.append(.hubReported(code: error.code, detail: error.detail))
            return nil
        }
        let answer = RequestAnswer(
            status: error.code,
            retryAfter: .milliseconds(Int(error.retryAfter)),
            detail: error.detail
        )
        refused(request, answer, &core)
        return nil
    }
}
