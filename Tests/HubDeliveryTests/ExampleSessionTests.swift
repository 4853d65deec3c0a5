import Crypto
import HubParcel
import HubTestSupport
import HubWire
import Testing

/// The session that `Protocol/example.md` writes down byte by byte.
@Suite("The session in bytes")
struct ExampleSessionTests {
    private static let frames = ExampleFrame.all

    /// Decodes the front of the bytes as the receiver does, and hands the body over.
    private static func decode<Value>(
        _ frame: ExampleFrame,
        _ body: (FrameHeader, Span<UInt8>) throws(WireError) -> Value
    ) throws -> Value {
        let state: DecodingState =
            switch frame.name {
            case "HELLO": .waitHello
            case "WELCOME": .waitWelcome
            default: .ready
            }
        let step = try FrameDecoder.step(
            frame.bytes.span,
            direction: frame.direction,
            state: state,
            limits: frame.direction == .hubToDevice ? .device : .hub
        )
        guard case .frame(let header) = step, header.totalBytes == frame.bytes.count else {
            throw WireError(.badLength, aboutType: frame.bytes[0])
        }
        #expect(header.type.name == frame.name)
        return try body(header, header.body(of: frame.bytes.span))
    }

    @Test("has the frames of its headings, whole and in their directions")
    func decodes() throws {
        #expect(
            Self.frames.map(\.name) == [
                "HELLO", "WELCOME", "REGISTER", "RESULT", "DELIVER", "ACK", "PING", "PONG",
                "HELLO", "WELCOME", "DELIVER", "ACK", "UNREGISTER", "BYE", "RESULT",
            ]
        )
        for frame in Self.frames { try Self.decode(frame) { _, _ in } }
    }

    @Test("proves the key that WELCOME gave, over the exporter value of the page. [A-3]")
    func proof() throws {
        let key = try Self.decode(Self.frames[1]) { header, body throws(WireError) in
            try WelcomeFrame(decoding: body, header: header).deviceKey
        }
        let isProven = try Self.decode(Self.frames[8]) { header, body throws(WireError) in
            let hello = try HelloFrame(decoding: body, header: header)
            let input = DeviceProof.input(
                exporter: HexText.bytes(Vectors.auth.exporter),
                prefix: hello.authenticated
            )
            let code = HMAC<SHA256>.authenticationCode(
                for: input,
                using: SymmetricKey(data: key)
            )
            var auth: [UInt8] = []
            for index in hello.auth.indices { auth.append(hello.auth[index]) }
            return Array(code) == auth
        }
        #expect(key.count == WireLimits.deviceKeyBytes)
        #expect(isProven)
        let page = Vectors.text("Protocol/example.md")
        #expect(page.contains(Vectors.auth.exporter))
    }

    @Test("goes on where it stopped: numbers, checks and etags follow from each other")
    func continues() throws {
        let first = try Self.decode(Self.frames[1]) { header, body throws(WireError) in
            try WelcomeFrame(decoding: body, header: header)
        }
        let second = try Self.decode(Self.frames[9]) { header, body throws(WireError) in
            try WelcomeFrame(decoding: body, header: header)
        }
        let shown = try Self.decode(Self.frames[8]) { header, body throws(WireError) in
            try HelloFrame(decoding: body, header: header).message
        }
        let registered = try Self.decode(Self.frames[3]) { header, body throws(WireError) in
            try ResultFrame(decoding: body, header: header)
        }
        var positions = [first.position.sequence]
        var checks: [UInt32] = []
        for (deliver, ack) in [(4, 5), (10, 11)] {
            let acknowledged = try Self.decode(Self.frames[ack]) { header, body throws(WireError) in
                try AckFrame(decoding: body, header: header)
            }
            let (previous, complete, check) = try Self.decode(Self.frames[deliver]) {
                header,
                body throws(WireError) in
                let frame = try DeliverFrame(decoding: body, header: header)
                var entries = frame.makeIterator()
                guard let entry = entries.next() else {
                    throw WireError(.badField, about: .deliver)
                }
                let id = ParcelID(ofParcel: frame.parcel(entry))
                return (frame.prevSeq, frame.completeSeq, UInt32(truncatingIfNeeded: id?.lo ?? 0))
            }
            #expect(previous == positions.last)
            #expect(acknowledged.seq == complete)
            positions.append(complete)
            checks.append(check)
        }
        #expect(positions == [41, 42, 45])
        #expect(shown.position.sequence == 42)
        #expect(shown.position.check == checks[0])
        #expect(shown.position.epoch == first.position.epoch)
        #expect(shown.etag == registered.etag)
        #expect(second.position.check == checks[0])
        #expect(second.etag == registered.etag)
        #expect(second.deviceKey.isEmpty)
    }
}
