import Dispatch
import HubCluster
import HubData
@testable import HubDatabase
import HubModel
import HubPostgres
import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite(
    "The lead of a node that cannot write a copy",
    .enabled(if: TemporaryPostgres.isInstalled),
    .timeLimit(.minutes(3))
)
struct LeadYieldTests {
    private let kept: Kept
    private let hub: HubName
    private let writes = CopyWrites()

    init() throws {
        kept = try Kept()
        let (made, log) = try kept.hub("news")
        hub = made.name
        try log.append(devices: 1...3)
    }

    /// A node that waits, and how far it is of one group.
    private func standBy(
        _ run: UInt64,
        groups: UInt64,
        isWarm: Bool = true,
        isAhead: Bool = false
    ) throws {
        try kept.enter(run)
        let marks = PostgresMarks(kept.database, run: run)
        try marks.note(.init(groups: groups, isWarm: isWarm, isAhead: isAhead))
        marks.close()
        // It stays there, however slow this machine is.
        let seen = "clock_timestamp() + interval '10 minutes'"
        try TemporaryPostgres.shared.get()
            .query("UPDATE belfry.node SET seen = \(seen) WHERE run = \(run)", in: kept.name)
    }

    private func watching(patience: Duration = .zero) -> LeadYield {
        let watching = LeadYield(kept.database, patience: patience, logger: Kept.silent)
        watching.watch(writes, of: hub)
        return watching
    }

    /// The run to which the lead is promised.
    private func promised() throws -> String {
        let sql = "SELECT run FROM belfry.handover WHERE until > clock_timestamp()"
        return try TemporaryPostgres.shared.get().query(sql, in: kept.name)
    }

    @Test("goes to a node that lacks nothing, a warm one first, and its leader hears of it")
    func goes() throws {
        let place = NodeAddress(host: "n1", port: 8443)
        var limits = LeaseLimits()
        limits.lease = 60_000
        let leader = LeadKeeper(
            kept.database,
            place: NodePlace(rest: place, devices: place),
            shape: NodeShape(release: "1", limits: [:]),
            limits: limits,
            logger: Kept.silent
        )
        let asked = DispatchSemaphore(value: 0)
        leader.whenAsked { asked.signal() }
        leader.start()
        defer { leader.end() }
        try #require(leader.wait(within: .seconds(60)) { $0.term != nil })
        try standBy(4, groups: 0)
        try standBy(5, groups: 1, isWarm: false)
        try standBy(6, groups: 1)
        writes.note(.full)
        let watching = watching()
        #expect(watching.isDue && watching.hub == nil)
        watching.look()
        #expect(try promised() == "6")
        #expect(watching.hub == hub)
        #expect(asked.wait(timeout: .now() + .seconds(60)) == .success)
    }

    @Test("stays where no other node is level")
    func stays() throws {
        try standBy(4, groups: 0)
        try standBy(5, groups: 1, isAhead: true)
        writes.note(.unavailable(reason: "disk I/O error"))
        let watching = watching()
        watching.look()
        #expect(try promised() == "" && watching.hub == nil)
    }

    @Test("stays while copies take what comes, and for some seconds when one does not")
    func patient() throws {
        try standBy(4, groups: 1)
        #expect(writes.error == nil && !watching().isDue)
        writes.note(.full)
        let patient = watching(patience: .seconds(3_600))
        #expect(!patient.isDue)
        patient.look()
        writes.note(nil)
        let late = watching()
        #expect(!late.isDue && writes.lasting == nil)
        late.look()
        #expect(try promised() == "")
    }
}
