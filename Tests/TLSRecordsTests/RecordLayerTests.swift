import HubTestSupport
import HubTransport
import TLSRecords
import Testing

/// Two ends of a connection with keys of a seed.
final class RecordPair {
    let peer: RecordPeer
    private let cipher: OpenSSLCipher
    private var layer = RecordLayer()

    init(_ suite: CipherSuite = .aes128GCM, seed: UInt64 = 1) throws {
        var random = SeededGenerator(seed: seed)
        let receiving = random.bytes(suite.hash.bytes)
        let sending = random.bytes(suite.hash.bytes)
        cipher = try OpenSSLCipher()
        peer = RecordPeer(suite, receiving: receiving, sending: sending, cipher: cipher)
        let isBegun = layer.begin(
            suite,
            receivingSecret: receiving.span,
            sendingSecret: sending.span,
            with: cipher
        )
        try #require(isBegun)
    }

    func take(
        _ stream: [UInt8],
        cut places: [Int] = [],
        at nanoseconds: UInt64 = 0,
        within limits: RecordLimits = RecordLimits()
    ) -> Reception {
        layer.take(stream, cut: places, at: nanoseconds, within: limits, with: cipher)
    }

    func seal(_ text: [UInt8], within limits: RecordLimits = RecordLimits()) -> [UInt8]? {
        layer.sealed(text, within: limits, with: cipher)
    }

    func seal(_ alert: Alert) -> [UInt8] { layer.sealed(alert, with: cipher) }

    func isWorn(_ limits: RecordLimits) -> Bool { layer.isWorn(limits) }
}

@Suite("Records")
struct RecordLayerTests {
    @Test(
        "text of any length comes out as it went in, in records of at most 16 KiB",
        arguments: CipherSuite.allCases,
        [1, 2, 255, 16_383, 16_384, 16_385, 65_536]
    )
    func roundTrip(suite: CipherSuite, count: Int) throws {
        let pair = try RecordPair(suite)
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let sealed = try #require(pair.seal(text))
        #expect(sealed.count == RecordLayer.sealedBytes(count))
        let other = pair.peer.open(sealed)
        #expect(other.data == text)
        #expect(other.results.count == (count + 16_383) / 16_384)
        let mine = pair.take(
            pair.peer.seal(Array(text.prefix(16_384)), padding: count == 1 ? 9 : 0)
        )
        #expect(mine.data == Array(text.prefix(16_384)))
    }

    @Test("wherever a stream is cut, the same comes out of it", arguments: 0..<20 as Range<UInt64>)
    func cuts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let suite = CipherSuite.allCases[Int(seed) % 3]
        let whole = try RecordPair(suite, seed: seed)
        let parts = try RecordPair(suite, seed: seed)
        var stream: [UInt8] = []
        for _ in 0..<30 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let cuts = [1, 2, 3, 4].filter { _ in Bool.random(using: &random) }
                let isAsking = Bool.random(using: &random)
                stream += whole.peer.keyUpdate(asking: isAsking, cuts: cuts)
            case 1: stream += whole.peer.seal([], padding: Int.random(in: 0...40, using: &random))
            case 2: stream += whole.peer.seal([1, 90], type: 21)
            default:
                let text = random.bytes(Int.random(in: 1...600, using: &random))
                stream += whole.peer.seal(text, padding: Int.random(in: 0...40, using: &random))
            }
        }
        stream += whole.peer.seal([1, 0], type: 21) + [1, 2, 3]
        var limits = RecordLimits()
        limits.keyUpdatesPerMinute = 30
        limits.idleAlerts = 30
        let expected = whole.take(stream, within: limits)
        let places = (0..<200).map { _ in Int.random(in: 0...stream.count, using: &random) }
            .sorted()
        let cut = parts.take(stream, cut: places, within: limits)
        #expect(cut == expected, "seed \(seed)")
        #expect(expected.results.last == .closed && expected.consumed == stream.count - 3)
    }

    @Test("a record that was changed anywhere is refused, and nothing of it is given away")
    func refusesChanges() throws {
        let secret = Array("attack at dawn".utf8)
        let count = secret.count + RecordLimits.overheadBytes
        for place in 5..<count {
            let pair = try RecordPair()
            var record = pair.peer.seal(secret)
            record[place] ^= 0x10
            let reception = pair.take(record)
            #expect(reception.results == [.failed(.badRecordMAC)], "byte \(place)")
            #expect(reception.data.isEmpty)
        }
    }

    @Test("records that are repeated, left out or out of order are refused")
    func refusesReplay() throws {
        for order in [[0, 0], [1], [0, 2], [1, 0]] {
            let pair = try RecordPair()
            let records = [pair.peer.seal([1]), pair.peer.seal([2]), pair.peer.seal([3])]
            let reception = pair.take(order.flatMap { records[$0] })
            #expect(reception.results.last == .failed(.badRecordMAC), "\(order)")
        }
    }

    @Test(
        "the first five bytes are refused as soon as they are there",
        arguments: [
            ([22, 3, 3, 0, 40], Alert.unexpectedMessage), ([20, 3, 3, 0, 1], .unexpectedMessage),
            ([21, 3, 3, 0, 2], .unexpectedMessage), ([23, 3, 1, 0, 40], .decodeError),
            ([23, 3, 4, 0, 40], .decodeError), ([23, 2, 3, 0, 40], .protocolVersion),
            ([0, 0, 0, 0, 0], .protocolVersion), ([23, 3, 3, 0x41, 1], .recordOverflow),
            ([23, 3, 3, 0xFF, 0xFF], .recordOverflow),
        ] as [([UInt8], Alert)]
    )
    func refusesHeaders(header: [UInt8], alert: Alert) throws {
        let pair = try RecordPair()
        #expect(pair.take(header).results == [.failed(alert)])
        let early = try RecordPair()
        #expect(early.take(Array(header.dropLast())).results == [])
    }

    @Test("a record with no room for a content type is not authentic", arguments: [0, 1, 15, 16])
    func refusesShortRecords(count: Int) throws {
        let pair = try RecordPair()
        let record = [23, 3, 3, 0, UInt8(count)] + [UInt8](repeating: 7, count: count)
        #expect(pair.take(record).results == [.failed(.badRecordMAC)])
    }

    @Test("content and padding together may have 16,385 bytes, with the type")
    func limitsContent() throws {
        for padding in [0, 1, 16_384] {
            let pair = try RecordPair()
            let text = [UInt8](repeating: 9, count: 16_384 - padding)
            #expect(pair.take(pair.peer.seal(text, padding: padding)).data == text)
            let above = try RecordPair()
            let reception = above.take(above.peer.seal(text + [9], padding: padding))
            #expect(reception.results == [.failed(.recordOverflow)] && reception.data.isEmpty)
        }
    }

    @Test(
        "content that may not follow a handshake is refused by its alert",
        arguments: [
            // All zeroes, and types that are none.
            (0, [], Alert.unexpectedMessage), (20, [1], .unexpectedMessage),
            (24, [1], .unexpectedMessage), (255, [1], .unexpectedMessage),
            // Alerts and messages without content, or with too much.
            (21, [], .unexpectedMessage), (22, [], .unexpectedMessage),
            (21, [2], .unexpectedMessage), (21, [2, 40, 1], .unexpectedMessage),
            // ClientHello, NewSessionTicket, CertificateRequest, Finished.
            (22, [1, 0, 0, 1, 0], .unexpectedMessage), (22, [4, 0, 0, 0], .unexpectedMessage),
            (22, [13, 0, 0, 1, 0], .unexpectedMessage), (22, [20, 0, 0, 32], .unexpectedMessage),
            // KeyUpdates of other lengths and values, or with something behind them.
            (22, [24, 0, 0, 0], .decodeError), (22, [24, 0, 0, 0, 1], .unexpectedMessage),
            (22, [24, 0, 0, 2], .illegalParameter), (22, [24, 1, 0, 1], .illegalParameter),
            (22, [24, 0, 0, 1, 2], .illegalParameter), (22, [24, 0, 0, 1, 255], .illegalParameter),
            (22, [24, 0, 0, 1, 0, 0], .unexpectedMessage),
            (22, [24, 0, 0, 1, 0, 24, 0, 0, 1, 0], .unexpectedMessage),
        ] as [(UInt8, [UInt8], Alert)]
    )
    func refusesContent(type: UInt8, content: [UInt8], alert: Alert) throws {
        let pair = try RecordPair()
        let reception = pair.take(pair.peer.seal([7]) + pair.peer.seal(content, type: type))
        #expect(reception.results == [.data, .failed(alert)])
        #expect(reception.data == [7])
    }

    @Test("nothing may come between the parts of a handshake message", arguments: [1, 3, 4])
    func refusesMixing(cut: Int) throws {
        for (type, content) in [(23, [7]), (23, []), (21, [1, 0])] as [(UInt8, [UInt8])] {
            let pair = try RecordPair()
            let first = pair.peer.seal(Array([24, 0, 0, 1, 0].prefix(cut)), type: 22)
            let reception = pair.take(first + pair.peer.seal(content, type: type))
            #expect(reception.results == [.nothing, .failed(.unexpectedMessage)], "\(cut) \(type)")
        }
    }

    @Test("an alert of the peer ends the connection, whatever its level", arguments: [1, 2, 77])
    func takesAlerts(level: UInt8) throws {
        let pair = try RecordPair()
        let after = pair.peer.seal([level, 40], type: 21) + [0xFF]
        let reception = pair.take(after)
        #expect(reception.results == [.alerted(40)] && reception.consumed == after.count - 1)
        let other = try RecordPair()
        #expect(other.take(other.peer.seal([level, 0], type: 21)).results == [.closed])
    }

    @Test(
        "key updates are followed, and answered when that is asked for",
        arguments: [true, false]
    )
    func followsKeys(isAsking: Bool) throws {
        for suite in CipherSuite.allCases {
            let pair = try RecordPair(suite)
            var stream = pair.peer.seal([1])
            for round in UInt8(2)..<6 {
                stream += pair.peer.keyUpdate(asking: isAsking)
                stream += pair.peer.seal([round])
            }
            let reception = pair.take(stream)
            #expect(reception.data == [1, 2, 3, 4, 5])
            #expect(reception.answers.isEmpty != isAsking)
            // The peer follows the answers, and reads what is sealed behind them.
            let text = try #require(pair.seal([9, 9]))
            #expect(pair.peer.open(reception.answers + text).data == [9, 9])
        }
    }

    @Test("after a key update the old key opens nothing")
    func forgetsKeys() throws {
        let pair = try RecordPair()
        let update = pair.peer.seal([24, 0, 0, 1, 0], type: 22)
        let reception = pair.take(update + pair.peer.seal([1]))
        #expect(reception.results == [.keyUpdate(isAnswerWanted: false), .failed(.badRecordMAC)])
    }
}
