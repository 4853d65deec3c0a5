import HubCluster
import HubTestSupport
import HubVocabulary
import Testing

private func readSends(in bytes: [UInt8]) -> Result<[CarriedSend], RecordProblem> {
    do throws(RecordProblem) {
        return .success(try BundleCodec.sends(in: bytes.span))
    } catch { return .failure(error) }
}

private func readAnswers(in bytes: [UInt8]) -> Result<[BundledAnswer], RecordProblem> {
    do throws(RecordProblem) {
        return .success(try BundleCodec.answers(in: bytes.span))
    } catch { return .failure(error) }
}

@Suite("Bundles of sends as bytes")
struct BundleCodecTests {
    private static func headers(_ random: inout SeededGenerator) -> [NamedValue] {
        (0..<random.below(5)).map { _ in
            NamedValue(name: random.bytes(random.below(20)), value: random.bytes(random.below(300)))
        }
    }

    private static func send(_ random: inout SeededGenerator) -> CarriedSend {
        CarriedSend(
            client: random.bytes(random.below(40)),
            authority: random.bytes(random.below(40)),
            target: random.bytes(random.below(400)),
            headers: headers(&random),
            body: random.bytes(random.below(3_000))
        )
    }

    @Test("sends read back as they were written", arguments: 0..<30 as Range<UInt64>)
    func sends(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var original: [CarriedSend] = []
        for _ in 0..<random.below(5) { original.append(Self.send(&random)) }
        let bytes = BundleCodec.encode(original)
        #expect(try readSends(in: bytes).get() == original, "seed \(seed)")
        #expect(bytes.count == original.reduce(3) { $0 + $1.byteCount }, "seed \(seed)")
        for end in bytes.indices {
            guard case .failure = readSends(in: Array(bytes[..<end])) else {
                Issue.record("seed \(seed): read although cut at \(end)")
                return
            }
        }
    }

    @Test("answers read back as they were written", arguments: 0..<30 as Range<UInt64>)
    func answers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var original: [BundledAnswer] = []
        for _ in 0..<random.below(5) {
            original.append(
                BundledAnswer(
                    status: UInt16(random.below(600)),
                    headers: Self.headers(&random),
                    body: random.bytes(random.below(500))
                )
            )
        }
        let bytes = BundleCodec.encode(original)
        #expect(try readAnswers(in: bytes).get() == original, "seed \(seed)")
        for end in bytes.indices {
            guard case .failure = readAnswers(in: Array(bytes[..<end])) else {
                Issue.record("seed \(seed): read although cut at \(end)")
                return
            }
        }
    }

    @Test("another format, and bytes behind the last part, are refused")
    func refused() {
        let none = BundleCodec.encode([] as [CarriedSend])
        #expect(readSends(in: [2] + none.dropFirst()) == .failure(.unknownFormat(2)))
        #expect(readSends(in: none + [0]) == .failure(.trailingBytes(at: 3)))
        #expect(readAnswers(in: none + [0]) == .failure(.trailingBytes(at: 3)))
        #expect(readAnswers(in: []) == .failure(.truncated(at: 0)))
    }

    @Test("a part fits up to the length that its place can say", arguments: [0, 1])
    func fits(beyond: Int) {
        var send = CarriedSend(client: [], authority: [], target: [], headers: [], body: [])
        let (short, medium) = (255 + beyond, 65_535 + beyond)
        let bytes = [UInt8](repeating: 0x61, count: medium)
        send.client = Array(bytes[..<short])
        #expect(send.fits == (beyond == 0))
        send.client = []
        send.authority = bytes
        #expect(send.fits == (beyond == 0))
        send.authority = []
        send.target = bytes
        #expect(send.fits == (beyond == 0))
        send.target = []
        send.headers = [NamedValue(name: [], value: bytes)]
        #expect(send.fits == (beyond == 0))
        send.headers = Array(repeating: NamedValue(name: [], value: []), count: short)
        #expect(send.fits == (beyond == 0))
        let answer = BundledAnswer(status: 201, headers: send.headers, body: [])
        #expect(answer.fits == (beyond == 0))
        if beyond == 0 {
            #expect(readSends(in: BundleCodec.encode([send])) == .success([send]))
        }
    }
}
