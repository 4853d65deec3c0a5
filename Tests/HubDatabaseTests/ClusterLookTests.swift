import HubCluster
@testable import HubDatabase
import HubPostgres
import HubTestSupport
import HubVocabulary
import Testing

@Suite("The nodes as operators see them", .enabled(if: TemporaryPostgres.isInstalled))
struct ClusterLookTests {
    private static func look(_ kept: Kept) -> ClusterLook {
        let nowhere = NodeAddress(host: "n1", port: 8443)
        let keeper = LeadKeeper(
            kept.database,
            place: NodePlace(rest: nowhere, devices: nowhere),
            shape: NodeShape(release: "1", limits: [:]),
            limits: LeaseLimits(),
            logger: Kept.silent
        )
        return ClusterLook(kept.database, shown: "the database", keeper)
    }

    @Test("are the runs that the database knows, and its standbys")
    func seen() async throws {
        let kept = try Kept()
        try kept.enter(3)
        let report = await Self.look(kept).report()
        #expect(report.fault == nil && report.database == "the database" && !report.leads)
        #expect(report.nodes.map(\.name) == ["n3"])
        #expect(report.nodes.map(\.isSelf) == [false])
        #expect(report.standbys?.connected == 0)
    }

    @Test(
        "a database that is silent is told of after two seconds, to each who asks",
        .timeLimit(.minutes(3))
    )
    func silent() async throws {
        let kept = try Kept()
        try kept.enter(3)
        let look = Self.look(kept)
        // No session reads the rows of nodes meanwhile.
        let lock = try PostgresConnection.trusted(kept.database.address, limits: Kept.patient)
        defer { lock.close() }
        let table = "LOCK TABLE belfry.node IN ACCESS EXCLUSIVE MODE"
        _ = try lock.run([PostgresCommand(sql: "BEGIN"), PostgresCommand(sql: table)])
        let began = ContinuousClock.now
        async let first = look.report()
        async let second = look.report()
        for report in await [first, second] {
            #expect(report.fault == "it did not answer within 2 s")
            #expect(report.nodes.isEmpty && report.standbys == nil)
        }
        let took = began.duration(to: .now)
        #expect(took >= .seconds(2) && took < .seconds(30))
        lock.close()
        let last = try await eventually("a look that is answered") { () -> ClusterReport? in
            let report = await look.report()
            return report.fault == nil ? report : nil
        }
        #expect(last.nodes.map(\.name) == ["n3"])
    }
}
