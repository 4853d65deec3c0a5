import HubCluster
@testable import HubFront
import HubTestSupport
import HubVocabulary
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@Suite("Sends that a front carries together", .timeLimit(.minutes(1)))
struct SendBundlerTests {
    private typealias Fate = WaitingSend.Fate

    /// A leader that holds its requests, and what carries sends to it.
    private struct World {
        let held = HeldLeader()
        let leader: LeaderWatch.Leader
        let link: LeaderLink
        let proof = FrontProof(key: Array(repeating: 7, count: 32))
        let bundler: SendBundler

        init(_ change: (inout FrontLimits) -> Void = { _ in }) async throws {
            leader = try #require(try await held.listen())
            var limits = FrontLimits()
            limits.connectMilliseconds = 60_000
            change(&limits)
            link = LeaderLink(trusted: try held.certificate.authority(), limits: limits) { _, _ in }
            link.follow(leader)
            bundler = SendBundler(link, proof, limits)
        }

        func begin(_ text: String, of hub: String = "news") -> Task<Fate, Never> {
            Task { [bundler, leader] in
                let loop = MultiThreadedEventLoopGroup.singleton.any()
                let send = SendBundlerTests.send(text)
                return await bundler.carry(send, of: hub, to: leader, on: loop)
            }
        }

        /// The texts of each request at the leader, the one that has waited longest first.
        var bundles: [[String]] {
            get throws {
                try held.bodies.map { body in
                    try BundleCodec.sends(in: body.span).map { String($0.body) }
                }
            }
        }

        func waits(for bundles: [Set<String>]) async throws {
            try await eventually("\(bundles) at the leader") {
                try self.bundles.map(Set.init) == bundles
            }
        }

        /// Answers the bundle that has waited longest, each send with its own text.
        func answer() async throws {
            let texts = try #require(try bundles.first)
            let answers = texts.map {
                BundledAnswer(status: 201, headers: [], body: Array($0.utf8))
            }
            try await held.answer(.ok, BundleCodec.encode(answers))
        }

        func end() async throws {
            link.close()
            try await held.end()
        }
    }

    private static func send(_ text: String) -> CarriedSend {
        CarriedSend(
            client: [],
            authority: [],
            target: Array("/news/messages".utf8),
            headers: [],
            body: Array(text.utf8)
        )
    }

    private static func text(_ fate: Fate) -> String? {
        if case .answered(let answer) = fate { String(answer.body) } else { nil }
    }

    private static func outcome(_ fate: Fate) -> CarryPlan.Outcome? {
        if case .failed(let outcome) = fate { outcome } else { nil }
    }

    @Test("go at once while few are under way, then in one request, and have their own answers")
    func together() async throws {
        let world = try await World { $0.bundles.carriers = 2 }
        let first = world.begin("1")
        try await world.waits(for: [["1"]])
        let second = world.begin("2")
        try await world.waits(for: [["1"], ["2"]])
        let others = (3...8).map { world.begin("\($0)") }
        // Another hub's does not wait for them.
        let foreign = world.begin("x", of: "else")
        try await world.waits(for: [["1"], ["2"], ["x"]])
        try await eventually("six that wait") { world.bundler.waiting == 6 }
        try await world.answer()
        let rest = Set((3...8).map(String.init))
        try await world.waits(for: [["2"], ["x"], rest])
        for _ in 0..<3 { try await world.answer() }
        #expect(Self.text(await first.value) == "1")
        #expect(Self.text(await second.value) == "2")
        #expect(Self.text(await foreign.value) == "x")
        for (text, task) in zip(3...8, others) {
            #expect(Self.text(await task.value) == "\(text)")
        }
        try await world.end()
    }

    @Test("are all in doubt when their request is lost, and when its answer is none of theirs")
    func lost() async throws {
        let world = try await World { $0.bundles.carriers = 1 }
        let first = world.begin("1")
        try await world.waits(for: [["1"]])
        let others = ["2", "3"].map { world.begin($0) }
        try await eventually("two that wait") { world.bundler.waiting == 2 }
        try await world.held.drop()
        #expect(Self.outcome(await first.value) == .lost)
        try await world.waits(for: [["2", "3"]])
        let one = BundledAnswer(status: 201, headers: [], body: [])
        try await world.held.answer(.ok, BundleCodec.encode([one]))
        for task in others { #expect(Self.outcome(await task.value) == .lost) }
        for body in [[], [9], BundleCodec.encode([one]) + [0]] {
            let task = world.begin("4")
            try await world.waits(for: [["4"]])
            try await world.held.answer(.ok, body)
            #expect(Self.outcome(await task.value) == .lost, "\(body)")
        }
        let task = world.begin("5")
        try await world.waits(for: [["5"]])
        try await world.held.answer(.badRequest)
        #expect(Self.outcome(await task.value) == .lost)
        try await world.end()
    }

    @Test("hear of a node that does not lead, and of one that is not reached")
    func misdirected() async throws {
        let world = try await World { $0.connectMilliseconds = 1_000 }
        let task = world.begin("1")
        try await world.waits(for: [["1"]])
        try await world.held.answer(headers: [FrontProof.header: FrontProof.misdirected])
        #expect(Self.outcome(await task.value) == .misdirected)
        world.link.close()
        #expect(Self.outcome(await world.begin("2").value) == .unreached)
        try await world.held.end()
    }

    @Test("that no carrier takes in time were not sent")
    func crowded() async throws {
        let world = try await World {
            $0.bundles.carriers = 1
            $0.bundles.waitMilliseconds = 20
        }
        let first = world.begin("1")
        try await world.waits(for: [["1"]])
        #expect(Self.outcome(await world.begin("2").value) == .crowded)
        try await world.answer()
        #expect(Self.text(await first.value) == "1")
        // The next one finds a carrier again.
        let third = world.begin("3")
        try await world.waits(for: [["3"]])
        try await world.answer()
        #expect(Self.text(await third.value) == "3")
        try await world.end()
    }

    @Test("end at once when their client is gone, are not carried, and cost the others nothing")
    func cancelled() async throws {
        let world = try await World { $0.bundles.carriers = 1 }
        let first = world.begin("1")
        try await world.waits(for: [["1"]])
        let others = ["2", "3"].map { world.begin($0) }
        try await eventually("two that wait") { world.bundler.waiting == 2 }
        others[0].cancel()
        guard case .cancelled = await others[0].value else {
            Issue.record("a cancelled send waits")
            return
        }
        try await world.answer()
        #expect(Self.text(await first.value) == "1")
        try await world.waits(for: [["3"]])
        let last = world.begin("4")
        try await eventually("one that waits") { world.bundler.waiting == 1 }
        last.cancel()
        _ = await last.value
        try await world.answer()
        #expect(Self.text(await others[1].value) == "3")
        // A bundle that was cancelled whole does not end its carrier.
        let next = world.begin("5")
        try await world.waits(for: [["5"]])
        try await world.answer()
        #expect(Self.text(await next.value) == "5")
        try await world.end()
    }
}

extension String {
    fileprivate init(_ bytes: [UInt8]) { self.init(decoding: bytes, as: UTF8.self) }
}
