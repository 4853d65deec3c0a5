import AsyncHTTPClient
@testable import HubFront
import HubTestSupport
import NIOHTTP1
import Testing

@Suite("Connections to the leader", .timeLimit(.minutes(1)))
struct LeaderLinkTests {
    private static func status(_ outcome: LeaderLink.Outcome) -> UInt? {
        if case .answered(let answer) = outcome { answer.status.code } else { nil }
    }

    private static func isCrowded(_ outcome: LeaderLink.Outcome) -> Bool {
        if case .crowded = outcome { true } else { false }
    }

    /// A link of so many connections, and a request over it.
    private static func link(
        to held: HeldLeader,
        connections: Int,
        milliseconds: UInt64
    ) async throws -> (LeaderLink, @Sendable () async throws -> LeaderLink.Outcome) {
        let leader = try #require(try await held.listen())
        var limits = FrontLimits()
        limits.leaderConnections = connections
        limits.connectMilliseconds = milliseconds
        let link = LeaderLink(trusted: try held.certificate.authority(), limits: limits) { _, _ in }
        link.follow(leader)
        let url = try #require(leader.url(of: "/x"))
        return (
            link,
            {
                let request = HTTPClientRequest(url: url)
                return try await link.send(request, to: leader, withinMilliseconds: 60_000)
            }
        )
    }

    @Test("are as many as the limit says; one more request waits, and is told that they are taken")
    func limit() async throws {
        let held = HeldLeader()
        let (link, ask) = try await Self.link(to: held, connections: 2, milliseconds: 60_000)
        async let first = ask()
        async let second = ask()
        try await eventually("two requests at the leader") { held.waiting == 2 }
        async let third = ask()
        try await held.answer()
        // The connection that is free takes the one that waited.
        try await eventually("the next request at the leader") { held.waiting == 2 }
        #expect(held.connections == 2)
        for _ in 0..<2 { try await held.answer() }
        for outcome in [try await first, try await second, try await third] {
            #expect(Self.status(outcome) == 200)
        }
        link.close()
        try await held.end()
    }

    @Test("that are all taken refuse a request in time, which was not sent")
    func crowded() async throws {
        let held = HeldLeader()
        let (link, ask) = try await Self.link(to: held, connections: 1, milliseconds: 3_000)
        async let first = ask()
        try await eventually("a request at the leader") { held.waiting == 1 }
        let refused = try await ask()
        #expect(Self.isCrowded(refused), "\(refused)")
        #expect(held.waiting == 1 && held.connections == 1)
        try await held.answer()
        #expect(Self.status(try await first) == 200)
        link.close()
        try await held.end()
    }
}
