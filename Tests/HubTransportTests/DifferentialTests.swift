import HubTestSupport
import HubTransport
import TLSRecords
import Testing

/// What a listener made of a client's stream, and what it answered.
struct Outcome: Equatable, CustomStringConvertible {
    var data: [UInt8] = []
    var cause: CloseCause?
    /// Without the answers to key updates: OpenSSL waits with them for its next write.
    var answer: [RecordLayer.Opened] = []

    var description: String { "\(data.count) bytes, \(cause.map { "\($0)" } ?? "open"), \(answer)" }
}

/// One step of a client that has the keys and uses them as it likes.
enum RecordStep: Sendable, CustomStringConvertible {
    case data(Int, padding: Int = 0)
    case record([UInt8], type: UInt8, padding: Int = 0)
    case keyUpdate(asking: Bool, cuts: [Int] = [])
    case changed(Int, place: Int)
    case raw([UInt8])
    case repeated

    var description: String {
        switch self {
        case .data(let count, let padding): "data \(count)+\(padding)"
        case .record(let content, let type, let padding): "type \(type) \(content)+\(padding)"
        case .keyUpdate(let asking, let cuts): "update \(asking) \(cuts)"
        case .changed(let count, let place): "changed \(count) at \(place)"
        case .raw(let bytes): "raw \(bytes)"
        case .repeated: "repeated"
        }
    }
}

/// One listener of each kind, and the same client for both.
struct RecordRig {
    private let nets: [RecordSealing: TestNet]

    init() throws {
        var nets: [RecordSealing: TestNet] = [:]
        for sealing in RecordSealing.allCases { nets[sealing] = try TestNet(sealing: sealing) }
        self.nets = nets
    }

    /// Plays the steps to a listener, in pieces of random size, and ends the stream.
    func play(
        _ steps: [RecordStep],
        to sealing: RecordSealing,
        suite: CipherSuite = .aes128GCM,
        seed: UInt64 = 1,
        leavingOut count: Int = 0,
        behindFinished: Bool = false
    ) throws -> Outcome {
        let net = try #require(nets[sealing])
        let known = net.server.log.all.opened.count
        var stream: [UInt8] = []
        let client = try KeyedClient(net.address, suite: suite) { peer in
            stream = Array(Self.stream(steps, of: peer).dropLast(count))
            return behindFinished ? stream : []
        }
        if behindFinished { stream = [] }
        var random = SeededGenerator(seed: seed)
        var start = 0
        while start < stream.count {
            let end = min(stream.count, start + Int.random(in: 1...3_000, using: &random))
            client.send(Array(stream[start..<end]))
            start = end
        }
        var outcome = Outcome()
        outcome.answer = client.finish().results.filter { result in
            if case .keyUpdate = result { false } else { true }
        }
        let id = try net.server.log.wait("opened") { events in
            events.opened.count > known ? events.opened[known].0 : nil
        }
        outcome.cause = try net.server.log.wait("closed") { $0.cause(of: id) }
        outcome.data = net.server.log.all.bytes(from: id)
        return outcome
    }

    /// How many connections of the listener without `SSL` objects were handed over.
    func handedOver() throws -> UInt64 {
        let net = try #require(nets[.own])
        return try net.server.run { $0.connections.statistics.handedOver }
    }

    private static func stream(_ steps: [RecordStep], of peer: RecordPeer) -> [UInt8] {
        var stream: [UInt8] = []
        var last: [UInt8] = []
        for (number, step) in steps.enumerated() {
            switch step {
            case .data(let count, let padding):
                let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
                last = peer.seal(text, padding: padding)
            case .record(let content, let type, let padding):
                last = peer.seal(content, type: type, padding: padding)
            case .keyUpdate(let asking, let cuts):
                last = peer.keyUpdate(asking: asking, cuts: cuts)
            case .changed(let count, let place):
                last = peer.seal([UInt8](repeating: 7, count: count))
                last[5 + place % (last.count - 5)] ^= 0x20
            case .raw(let bytes): last = bytes
            case .repeated: break
            }
            stream += last
        }
        return stream
    }
}

@Suite("Our record layer beside OpenSSL's")
struct DifferentialTests {
    private static let end = RecordStep.record([1, 0], type: 21)
    private static let badMAC: [UInt8] = [23, 3, 3, 0, 20] + [UInt8](repeating: 5, count: 20)

    /// What OpenSSL refuses, or takes, and so must we, by the same alert.
    static let equal: [(name: String, steps: [RecordStep])] = [
        ("data and close_notify", [.data(1), .data(16_384), .data(3_000, padding: 200), end]),
        ("close_notify that says fatal", [.data(3), .record([2, 0], type: 21)]),
        ("data behind close_notify", [end, .data(5)]),
        ("user_canceled", [.record([1, 90], type: 21), .data(2), end]),
        ("five alerts that say nothing", Array(repeating: .record([1, 90], type: 21), count: 5)),
        ("a fatal alert", [.data(4), .record([2, 40], type: 21)]),
        ("a warning that is none", [.record([1, 112], type: 21)]),
        ("an alert of one byte", [.record([1], type: 21)]),
        ("an alert of three bytes", [.record([1, 0, 0], type: 21)]),
        ("two alerts in a record", [.record([1, 90, 1, 0], type: 21)]),
        ("an alert without content", [.record([], type: 21)]),
        ("a message without content", [.record([], type: 22)]),
        ("content of no type", [.record([1, 2], type: 20)]),
        ("content of another type", [.record([1, 2], type: 24)]),
        ("only zeroes", [.record([0, 0, 0], type: 0, padding: 3)]),
        ("thirty-two empty records", Array(repeating: .data(0), count: 32) + [.data(1), end]),
        ("thirty-three empty records", Array(repeating: .data(0), count: 33)),
        ("new keys", [.data(1), .keyUpdate(asking: false), .data(2), end]),
        ("new keys for both", [.keyUpdate(asking: true), .data(2), end]),
        ("new keys twice", [.keyUpdate(asking: true), .keyUpdate(asking: true), .data(1), end]),
        ("new keys in parts", [.keyUpdate(asking: true, cuts: [1, 2, 3, 4]), .data(9), end]),
        ("new keys in two parts", [.keyUpdate(asking: false, cuts: [4]), .data(9), end]),
        ("new keys never used", [.record([24, 0, 0, 1, 0], type: 22), .data(1)]),
        ("another value for new keys", [.record([24, 0, 0, 1, 2], type: 22)]),
        ("new keys without a value", [.record([24, 0, 0, 0], type: 22)]),
        ("new keys of two bytes", [.record([24, 0, 0, 2, 0, 0], type: 22)]),
        ("new keys of many bytes", [.record([24, 1, 0, 0], type: 22)]),
        ("something behind new keys", [.record([24, 0, 0, 1, 0, 24], type: 22)]),
        ("two messages in a record", [.record([24, 0, 0, 1, 0, 24, 0, 0, 1, 0], type: 22)]),
        ("a ticket from a client", [.record([4, 0, 0, 1, 0], type: 22)]),
        ("a second hello", [.record([1, 0, 0, 2, 3, 3], type: 22)]),
        ("a certificate nobody asked for", [.record([11, 0, 0, 4, 0, 0, 0, 0], type: 22)]),
        (
            "a second Finished",
            [.record([20, 0, 0, 32] + [UInt8](repeating: 1, count: 32), type: 22)]
        ),
        ("data within a message", [.record([24, 0], type: 22), .data(4)]),
        ("close_notify within a message", [.record([24, 0, 0], type: 22), end]),
        ("data behind a message's header", [.record([24, 0, 0, 1], type: 22), .data(4)]),
        ("a changed text", [.data(9), .changed(50, place: 3)]),
        ("a changed tag", [.changed(50, place: 66)]),
        ("a record twice", [.data(9), .repeated]),
        ("no key's record", [.data(9), .raw(badMAC)]),
        ("a record of nothing", [.raw([23, 3, 3, 0, 0])]),
        ("a record of a tag alone", [.raw([23, 3, 3, 0, 16] + [UInt8](repeating: 5, count: 16))]),
        ("a message in the clear", [.data(1), .raw([22, 3, 3, 0, 4, 1, 0, 0, 0])]),
        ("an alert in the clear", [.data(1), .raw([21, 3, 3, 0, 2, 2, 40])]),
        ("change_cipher_spec", [.data(1), .raw([20, 3, 3, 0, 1, 1])]),
        ("another version", [.raw([23, 3, 1, 0, 20] + [UInt8](repeating: 5, count: 20))]),
        ("no TLS version", [.raw([23, 2, 3, 0, 20] + [UInt8](repeating: 5, count: 20))]),
        ("a record that is too long", [.data(2), .raw([23, 3, 3, 0x41, 1])]),
        ("a request of HTTP", [.raw(Array("GET / HTTP/1.1\r\n\r\n".utf8))]),
        ("an end without a word", [.data(7)]),
        ("half a header", [.data(7), .raw([23, 3])]),
    ]

    @Test(
        "the same bytes, the same alert, the same end, also in one piece with Finished",
        arguments: CipherSuite.allCases,
        [false, true]
    )
    func agrees(suite: CipherSuite, inOnePiece: Bool) throws {
        let rig = try RecordRig()
        for (name, steps) in Self.equal {
            let theirs = try rig.play(
                steps,
                to: .openSSL,
                suite: suite,
                behindFinished: inOnePiece
            )
            let ours = try rig.play(steps, to: .own, suite: suite, behindFinished: inOnePiece)
            #expect(ours == theirs, "\(name)")
        }
        #expect(try rig.handedOver() == UInt64(Self.equal.count))
    }

    /// What OpenSSL takes and the standard or our limits do not.
    static let stricter: [(name: String, steps: [RecordStep], alert: Alert)] = [
        ("padding above the limit", [.data(16_384, padding: 1), .data(1), end], .recordOverflow),
        (
            "more new keys in a minute than anybody needs",
            Array(repeating: .keyUpdate(asking: false), count: 9) + [end], .unexpectedMessage
        ),
        (
            "more empty records in a minute than anybody needs",
            Array(repeating: [.data(0), .data(1)], count: 33).flatMap { $0 } + [end],
            .unexpectedMessage
        ),
        (
            "close_notify behind a message's header", [.record([24, 0, 0, 1], type: 22), end],
            .unexpectedMessage
        ),
    ]

    @Test("what only we refuse is refused by a fatal alert", arguments: stricter.indices)
    func refuses(_ number: Int) throws {
        let (name, steps, alert) = Self.stricter[number]
        let rig = try RecordRig()
        let theirs = try rig.play(steps, to: .openSSL)
        let ours = try rig.play(steps, to: .own)
        #expect(theirs.cause == .peer, "\(name): \(theirs)")
        #expect(ours.cause == .tlsFailure && ours.answer == [.alerted(alert.rawValue)], "\(name)")
        #expect(theirs.data.starts(with: ours.data))
    }

    @Test(
        "wherever a stream ends, the same bytes are taken",
        arguments: [1, 2, 17, 18, 60, 61, 80],
        [false, true]
    )
    func agreesOnTruncation(count: Int, inOnePiece: Bool) throws {
        let rig = try RecordRig()
        let steps: [RecordStep] = [.data(40), .keyUpdate(asking: false), .data(38)]
        let theirs = try rig.play(
            steps,
            to: .openSSL,
            leavingOut: count,
            behindFinished: inOnePiece
        )
        let ours = try rig.play(steps, to: .own, leavingOut: count, behindFinished: inOnePiece)
        #expect(ours == theirs)
        #expect(ours.cause == .lost(code: 0) && ours.answer == [])
    }

    @Test("whatever a client with the keys does", arguments: 0..<40 as Range<UInt64>)
    func agreesOnAnything(seed: UInt64) throws {
        let rig = try RecordRig()
        var random = SeededGenerator(seed: seed &+ 0x5EA1)
        let suite = CipherSuite.allCases[Int(seed % 3)]
        for round in 0..<4 {
            let steps = Self.steps(&random)
            let theirs = try rig.play(steps, to: .openSSL, suite: suite, seed: seed)
            let ours = try rig.play(steps, to: .own, suite: suite, seed: seed)
            #expect(ours == theirs, "seed \(seed), round \(round): \(steps)")
        }
    }

    /// Steps within what OpenSSL and we take alike.
    private static func steps(_ random: inout SeededGenerator) -> [RecordStep] {
        var steps: [RecordStep] = []
        var updates = 0
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let padding = Int.random(in: 0...300, using: &random)
            steps.append(.data(Int.random(in: 1...4_000, using: &random), padding: padding))
            if Int.random(in: 0..<3, using: &random) == 0, updates < 7 {
                updates += 1
                let cuts = (1...4).filter { _ in Bool.random(using: &random) }
                steps.append(.keyUpdate(asking: Bool.random(using: &random), cuts: cuts))
            }
        }
        let content = random.bytes(Int.random(in: 0...9, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: break
        case 1: steps.append(.record(content, type: 21, padding: 2))
        case 2: steps.append(.record([24, 0, 0] + content, type: 22))
        case 3: steps.append(.record(content, type: UInt8.random(in: 0...255, using: &random)))
        case 4: steps.append(.changed(content.count, place: Int.random(in: 0...99, using: &random)))
        case 5: steps.append(.raw(content))
        case 6: steps.append(.repeated)
        default: steps.append(end)
        }
        return steps
    }
}
