import HubRelay
import HubStreams
import HubVocabulary
import NIOCore
import Testing

/// Case 109 of the relays' reference: frames, without a connection.
@Suite("Frames of services")
struct FrameTests {
    private static func frame(
        _ kind: UInt8,
        _ flags: UInt8 = 0,
        stream: UInt32,
        _ content: [UInt8] = []
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt32(content.count) << 8 | UInt32(kind))
        bytes.append(flags)
        bytes.appendBigEndian(stream)
        return bytes + content
    }

    /// The frames of some pieces, as text; a fault is the last.
    private static func read(_ pieces: [[UInt8]]) -> [String] {
        var reader = FrameReader()
        var found: [String] = []
        for piece in pieces {
            var bytes = ByteBuffer(bytes: piece)
            reader.append(&bytes)
            do throws(FrameFault) {
                while let frame = try reader.next() { found.append(text(frame)) }
            } catch { return found + ["fault: \(error.reason)"] }
        }
        return found
    }

    private static func text(_ frame: ServiceFrame) -> String {
        func hex(_ bytes: ByteBuffer) -> String { HexText.lowercase(bytes.readableBytesView) }
        switch frame {
        case .headers(let stream, let block, let ends):
            return "headers \(stream) \(hex(block)) \(ends)"
        case .tooLong(let stream, let ends): return "too long \(stream) \(ends)"
        case .data(let stream, let bytes, let size, let ends):
            return "data \(stream) \(hex(bytes)) \(size) \(ends)"
        case .reset(let stream, let code): return "reset \(stream) \(code)"
        case .settings(let values):
            return "settings "
                + values.map { "\($0.identifier)=\($0.value)" }.joined(separator: ",")
        case .ping(let data): return "ping \(data)"
        case .goAway(let last, let code, let bytes): return "goaway \(last) \(code) \(hex(bytes))"
        case .windowUpdate(let stream, let increment): return "window \(stream) \(increment)"
        case .nothing: return "nothing"
        }
    }

    private static let known: [(bytes: [UInt8], text: String)] = [
        (frame(1, 5, stream: 1, [0x88]), "headers 1 88 true"),
        (frame(1, 0x2C, stream: 3, [1, 0, 0, 0, 0, 9, 0x88, 0]), "headers 3 88 false"),
        (frame(0, 0, stream: 1, [1, 2]), "data 1 0102 2 false"),
        (frame(0, 9, stream: 1, [2, 7, 0, 0]), "data 1 07 4 true"),
        (frame(3, 0, stream: 5, [0, 0, 0, 7]), "reset 5 7"),
        (frame(4, 0, stream: 0, [0, 3, 0, 0, 3, 0xE8]), "settings 3=1000"),
        (frame(4, 1, stream: 0), "nothing"),
        (frame(6, 0, stream: 0, [0, 0, 0, 0, 0, 0, 0, 9]), "ping 9"),
        (frame(6, 1, stream: 0, [0, 0, 0, 0, 0, 0, 0, 9]), "nothing"),
        (frame(7, 0, stream: 0, [0, 0, 0, 5, 0, 0, 0, 2, 0x7B]), "goaway 5 2 7b"),
        (frame(8, 0, stream: 0, [0x80, 0, 0, 8]), "window 0 8"),
        (frame(2, 0, stream: 1, [0, 0, 0, 0, 1]), "nothing"),
        (frame(0x42, 7, stream: 9, [1]), "nothing"),
    ]

    @Test("each frame is read as it was written, wherever the bytes are cut")
    func cuts() {
        let bytes = Self.known.flatMap(\.bytes)
        let expected = Self.known.map(\.text)
        #expect(Self.read([bytes]) == expected)
        #expect(Self.read(bytes.map { [$0] }) == expected)
        for place in 1..<bytes.count {
            #expect(Self.read([Array(bytes[..<place]), Array(bytes[place...])]) == expected)
        }
    }

    @Test("the parts of a header block are one, up to 32 KB; sixteen of them are the most")
    func continuations() {
        func block(_ frames: Int, of size: Int) -> [[UInt8]] {
            let part = [UInt8](repeating: 0x88, count: size)
            return [Self.frame(1, 1, stream: 1, part)]
                + (1..<frames).map { Self.frame(9, $0 == frames - 1 ? 4 : 0, stream: 1, part) }
        }
        let whole = "headers 1 " + String(repeating: "88", count: 16) + " true"
        #expect(Self.read(block(16, of: 1)) == Array(repeating: "nothing", count: 15) + [whole])
        #expect(Self.read(block(17, of: 1)).last == "fault: a header block is too long")
        #expect(Self.read(block(2, of: 16_384)).last?.hasPrefix("headers") == true)
        #expect(Self.read(block(3, of: 16_384)).last == "too long 1 true")
        #expect(Self.read(block(16, of: 16_384)).last == "too long 1 true")
        // What comes behind it is read.
        let more = block(3, of: 16_384) + [Self.frame(1, 5, stream: 3, [0x88])]
        #expect(Self.read(more).last == "headers 3 88 true")
    }

    @Test(
        "what no client understands is a fault",
        arguments: [
            frame(0, 0, stream: 0), frame(1, 4, stream: 2, [0x88]), frame(3, 0, stream: 1, [0]),
            frame(3, 0, stream: 0, [0, 0, 0, 7]), frame(4, 0, stream: 1),
            frame(4, 0, stream: 0, [1]),
            frame(4, 1, stream: 0, [0, 1, 0, 0, 0, 0]), frame(5, 4, stream: 1, [0, 0, 0, 2, 0x88]),
            frame(6, 0, stream: 0, [1]), frame(6, 0, stream: 1, [0, 0, 0, 0, 0, 0, 0, 9]),
            frame(7, 0, stream: 0, [0, 0, 0, 5]), frame(8, 0, stream: 0, [0, 0, 0, 0]),
            frame(8, 0, stream: 0, [1]), frame(9, 4, stream: 1, [0x88]), frame(0, 8, stream: 1, []),
            frame(0, 8, stream: 1, [2, 0]), frame(1, 0x24, stream: 1, [0, 0]),
            frame(1, 0, stream: 1, [0x88]) + frame(0, 0, stream: 1),
            frame(0, 0, stream: 1, [UInt8](repeating: 0, count: 16_385)),
        ]
    )
    func faults(bytes: [UInt8]) {
        #expect(Self.read([bytes]).last?.hasPrefix("fault: ") == true)
    }

    @Test("a frame of the largest size is read")
    func largest() {
        let bytes = Self.frame(0, 0, stream: 1, [UInt8](repeating: 7, count: 16_384))
        #expect(Self.read([bytes]).first?.hasSuffix(" 16384 false") == true)
    }

    @Test("109: damaged frames are read or are faults", arguments: 0..<50 as Range<UInt64>)
    func damaged(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = (0..<40).flatMap { _ in
            Self.known[Int.random(in: Self.known.indices, using: &random)].bytes
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] =
                .random(in: 0...255, using: &random)
        }
        let whole = Self.read([bytes])
        var pieces: [[UInt8]] = []
        while !bytes.isEmpty {
            let size = Int.random(in: 1...min(30, bytes.count), using: &random)
            pieces.append(Array(bytes.prefix(size)))
            bytes.removeFirst(size)
        }
        #expect(Self.read(pieces) == whole)
    }

    @Test("what the client writes is read as frames: a head over 16 KB, and content in parts")
    func writes() {
        let long = String(repeating: "a", count: 40_000)
        let request = RelayRequest(
            host: "push.example.com",
            path: "/",
            headers: [("long", long)],
            body: []
        )
        var (writer, headers) = (FrameWriter(), HeaderWriter(keepsAuthorization: false))
        writer.headers(1, request, &headers, endsStream: false)
        writer.data(1, [UInt8](repeating: 5, count: 16_385)[...], isLast: true)
        writer.windowUpdate(by: 9)
        writer.reset(1, ServiceFrame.Code.cancel)
        writer.ping(7, isAnswer: false)
        let bytes = writer.take()
        var kinds: [UInt8] = []
        var rest = bytes
        while let head = rest.readInteger(as: UInt32.self) {
            kinds.append(UInt8(truncatingIfNeeded: head))
            rest.moveReaderIndex(forwardBy: 5 + Int(head >> 8))
            #expect(head >> 8 <= 16_384)
        }
        #expect(kinds == [1, 9, 9, 0, 0, 8, 3, 6])
    }

    @Test("windows and questions of a service have limits")
    func windows() throws {
        var windows = StreamWindows()
        try windows.grow(by: ServiceFrame.windowMax - 65_535)
        #expect(throws: FrameFault.self) { try windows.grow(by: 1) }
        #expect(try windows.resizeStreams(0) == -65_535)
        #expect(try windows.resizeStreams(ServiceFrame.windowMax) == ServiceFrame.windowMax)
        #expect(throws: FrameFault.self) { try windows.resizeStreams(ServiceFrame.windowMax + 1) }
        #expect(windows.receive(StreamLimits.windowStep - 1) == nil)
        #expect(windows.receive(1) == StreamLimits.windowStep)
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        for _ in 0..<StreamLimits.controlMax { try windows.countControl(at: now) }
        #expect(throws: FrameFault.self) { try windows.countControl(at: now) }
        try windows.countControl(at: now + StreamLimits.controlTime)
    }
}
