import HubFuzzTargets
import HubTestSupport
import HubWire
import Testing

@Suite("Encoding")
struct EncodingTests {
    /// The header that a decoder makes of an encoded frame.
    private func header(_ bytes: [UInt8], _ type: FrameType) throws -> FrameHeader {
        let isFromHub = [.welcome, .pong, .goaway, .result, .deliver, .gap].contains(type)
        let state: DecodingState =
            switch type {
            case .hello: .waitHello
            case .welcome: .waitWelcome
            default: .ready
            }
        let step = try FrameDecoder.step(
            bytes.span,
            direction: isFromHub ? .hubToDevice : .deviceToHub,
            state: state,
            limits: isFromHub ? .device : .hub
        )
        guard case .frame(let header) = step else { throw WireError(.badLength, about: type) }
        return header
    }

    @Test("decoding what was encoded, and encoding it again, changes nothing", arguments: 1...8)
    func identity(seed: UInt64) throws {
        var frames = RandomFrames(seed: seed)
        for round in 0..<40 {
            for type in FrameType.allCases {
                let bytes = try frames.frame(type)
                let header = try header(bytes, type)
                #expect(header.totalBytes == bytes.count)
                let again = try FrameCopy.bytes(header, header.body(of: bytes.span))
                let isSame = type == .padding || again == bytes
                #expect(isSame, "\(type.name) seed \(seed) round \(round) \(HexText.text(bytes))")
            }
        }
    }

    @Test("frames are appended to what the caller has")
    func appends() throws {
        var bytes: [UInt8] = [1, 2, 3]
        AckFrame(seq: 46).encode(into: &bytes)
        var writer = DeliverWriter(previousSeq: 1, into: &bytes)
        let parcel = [UInt8](repeating: 9, count: 32)
        writer.append(seqDelta: 1, slot: 0, flags: 0, parcel: parcel, into: &bytes)
        writer.finish(backlog: 0, into: &bytes)
        AckFrame(seq: 47).encode(into: &bytes)
        #expect(HexText.text(Array(bytes[..<19])) == "0102032100000000000008000000000000002e")
        let frame = Array(bytes[19..<(bytes.count - 16)])
        let header = try header(frame, .deliver)
        #expect(header.totalBytes == frame.count)
    }

    @Test("a proof covers HELLO up to its credentials")
    func proof() throws {
        let vector = Vectors.auth
        #expect(vector.exporterLabel == DeviceProof.exporterLabel)
        let hello = HexText.bytes(vector.hello)
        let header = try header(hello, .hello)
        let frame = try HelloFrame(decoding: header.body(of: hello.span), header: header)
        let message = frame.message
        let exporter = HexText.bytes(vector.exporter)
        let received = DeviceProof.input(exporter: exporter, prefix: frame.authenticated)
        #expect(HexText.text(received) == vector.input)

        var bytes: [UInt8] = [7]
        let writer = try HelloWriter(message, into: &bytes)
        let sent = DeviceProof.input(
            exporter: exporter,
            prefix: bytes.span.extracting(writer.authenticated)
        )
        #expect(HexText.text(sent) == vector.input)
        try writer.finish(auth: HexText.bytes(vector.proof), into: &bytes)
        #expect(Array(bytes.dropFirst()) == hello)
    }

    /// What REGISTER cannot carry, and the number that a decoder would answer.
    private static func refusedRegistrations(
        big: [UInt8],
        tag: [UInt8]
    ) -> [(RegisterMessage, ErrorNumber)] {
        [
            (RegisterMessage(slot: 16, platform: 0, tags: []), .badField),
            (RegisterMessage(slot: 0, platform: 0, tags: [[]]), .badTags),
            (RegisterMessage(slot: 0, platform: 0, tags: [big]), .badTags),
            (
                RegisterMessage(slot: 0, platform: 0, tags: Array(repeating: tag, count: 80)),
                .frameTooLarge
            ),
            (
                RegisterMessage(slot: 0, platform: 0, tags: Array(repeating: tag, count: 300)),
                .badTags
            ),
            (
                RegisterMessage(
                    slot: 0,
                    platform: 0,
                    tags: [],
                    template: TemplateMessage(name: "n", body: big)
                ), .badField
            ),
            (
                RegisterMessage(
                    slot: 0,
                    platform: 0,
                    tags: [],
                    template: TemplateMessage(
                        name: "n",
                        headers: [.init(name: "", value: "v")],
                        body: []
                    )
                ), .badField
            ),
        ]
    }

    @Test("what a device may not send is refused before it is sent")
    func refuses() {
        var bytes: [UInt8] = [1]
        func refusal(_ encode: (inout [UInt8]) throws(WireError) -> Void) -> ErrorNumber? {
            do throws(WireError) {
                try encode(&bytes)
                return nil
            } catch {
                return error.number
            }
        }
        let hub = { (name: String) in HelloMessage(hub: name) }
        let big = [UInt8](repeating: 1, count: 8_193)
        let tag = [UInt8](repeating: 65, count: 250)
        #expect(
            refusal { (b) throws(WireError) in
                try hub(String(repeating: "h", count: 65)).encode(auth: [], into: &b)
            } == .badField
        )
        #expect(
            refusal { (b) throws(WireError) in try hub("a\nb").encode(auth: [], into: &b) }
                == .badUTF8
        )
        #expect(
            refusal { (b) throws(WireError) in try hub("a").encode(auth: big, into: &b) }
                == .badField
        )
        for (message, number) in Self.refusedRegistrations(big: big, tag: tag) {
            let found = refusal { (b) throws(WireError) in try message.encode(into: &b, ref: 1) }
            #expect(found == number)
        }
        #expect(bytes == [1])
    }

    @Test("a detail is cut between characters, and what is not text becomes a question mark")
    func details() throws {
        let texts = [
            String(repeating: "é", count: 150), String(repeating: "😀", count: 51),
            "a\u{0}b\nc\u{7F}", String(repeating: "x", count: 201),
        ]
        let wanted = [
            String(repeating: "é", count: 100), String(repeating: "😀", count: 50), "a?b?c?",
            String(repeating: "x", count: 200),
        ]
        for (text, cut) in zip(texts, wanted) {
            var bytes: [UInt8] = []
            ErrorFrame(.forbidden, detail: text).encode(into: &bytes)
            let header = try header(bytes, .error)
            let frame = try ErrorFrame(decoding: header.body(of: bytes.span), header: header)
            #expect(frame.detail == cut)
        }
    }

    @Test("DELIVER ends at 64 entries and at one flush, but takes one parcel of any size")
    func deliverRoom() {
        var bytes: [UInt8] = [1, 2, 3]
        let large = [UInt8](repeating: 7, count: 40_000)
        var writer = DeliverWriter(previousSeq: 0, into: &bytes)
        #expect(writer.hasRoom(for: large.count, in: bytes))
        let least = [UInt8](repeating: 7, count: 32)
        for _ in 0..<64 {
            #expect(writer.hasRoom(for: least.count, in: bytes))
            writer.append(seqDelta: 1, slot: 0, flags: 0, parcel: least, into: &bytes)
        }
        #expect(!writer.hasRoom(for: least.count, in: bytes))

        bytes = [1, 2, 3]
        writer = DeliverWriter(previousSeq: 0, into: &bytes)
        writer.append(seqDelta: 1, slot: 0, flags: 0, parcel: least, into: &bytes)
        let left = WireLimits.flushBytesMax - (bytes.count - 3) - 10
        #expect(writer.hasRoom(for: left, in: bytes))
        #expect(!writer.hasRoom(for: left + 1, in: bytes))
    }

    @Test("a complete sequence number is one whose group has ended")
    func completeness() throws {
        var bytes: [UInt8] = []
        let parcel = [UInt8](repeating: 7, count: 32)
        var writer = DeliverWriter(previousSeq: 41, into: &bytes)
        writer.append(seqDelta: 1, slot: 0, flags: 0, parcel: parcel, into: &bytes)
        writer.append(seqDelta: 2, slot: 0, flags: 4, parcel: parcel, into: &bytes)
        #expect(writer.completeSeq == 42)
        let open = writer.completeSeq
        writer.append(seqDelta: 0, slot: 1, flags: 4, parcel: parcel, into: &bytes)
        writer.finish(backlog: 1, into: &bytes)
        let header = try header(bytes, .deliver)
        let frame = try DeliverFrame(decoding: header.body(of: bytes.span), header: header)
        let (complete, endsOpen) = (frame.completeSeq, frame.endsOpen)
        #expect(complete == open)
        #expect(endsOpen)
    }
}
