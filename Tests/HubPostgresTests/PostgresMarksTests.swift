import HubCluster
import HubHarness
import HubModel
import HubPostgres
import HubTestSupport
import HubVocabulary
import Testing

@Suite("The marks of a database's hubs", .enabled(if: TemporaryPostgres.isInstalled))
struct PostgresMarksTests {
    private let database: PostgresDatabase
    private let name: String

    init() throws {
        let url = try TemporaryPostgres.shared.get().newDatabase()
        name = String(try #require(url.split(separator: "/").last))
        database = try PostgresDatabase(opening: PostgresAddress(url), limits: .patient)
    }

    private func lead(_ hub: String, isWhole: Bool = true) throws -> PostgresGroupLog {
        let log = try PostgresGroupLog(leading: hub, in: database, isWhole: isWhole)
        if log.place.epochs.isEmpty {
            try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        }
        return log
    }

    private func append(_ log: PostgresGroupLog) throws {
        let id = NotificationID(high: 0x7000 + log.place.head << 16, low: log.place.head)
        var random = SeededGenerator(seed: log.place.head)
        let record = NotificationRecord(
            sequence: log.place.head + 1,
            id: id,
            draft: try random.draft()
        )
        let changes = [StoredChange.revoke(DeviceID(high: 1, low: log.place.feed), generation: 1)]
        try log.append(
            log.place.next(changes, [record]),
            GroupEffect(changes, head: log.place.head)
        )
    }

    @Test("change with each group, checkpoint, purge, trimming and leader, and with nothing else")
    func changes() throws {
        let marks = PostgresMarks(database, run: 1)
        defer { marks.close() }
        #expect(try marks.all() == [:])
        var log = try lead("a")
        var seen = try [marks.all()]
        func look() throws -> Bool {
            seen.append(try marks.all())
            return seen[seen.count - 1] != seen[seen.count - 2]
        }
        #expect(try !look())
        for _ in 0..<2 {
            try append(log)
            #expect(try look())
        }
        #expect(seen.last?["a"] == HubMark(of: log.place) && seen.last?["a"]?.group == 2)
        try log.checkpoint(CheckpointBatch(number: 1), reports: NodeReports())
        #expect(try look())
        try log.purge(through: 1)
        #expect(try look())
        var extent = TrimExtent()
        extent.first = 2
        while try log.trim(extent) {}
        #expect(try look())
        log = try lead("a")
        #expect(try look())
    }

    @Test("are those of every hub that is whole")
    func whole() throws {
        let marks = PostgresMarks(database, run: 1)
        defer { marks.close() }
        try append(lead("a"))
        _ = try lead("b")
        // It is being moved into the database.
        _ = try lead("c", isWhole: false)
        #expect(try marks.all().mapValues(\.group) == ["a": 1, "b": 0])
    }

    @Test("a node that the database knows tells others how far its copies are")
    func standing() throws {
        let node = LeadingNode(run: 5, name: "n5", address: "n5:8443")
        _ = try PostgresLead(database, node, limits: LeaseLimits()).ask(.look)
        let log = try lead("a")
        for _ in 0..<3 { try append(log) }
        func seen() throws -> SeenNode? { try database.nodes().nodes.first { $0.node.run == 5 } }
        #expect(try seen()?.behind == nil)
        let marks = PostgresMarks(database, run: 5)
        defer { marks.close() }
        try marks.note(.init(groups: 1, isWarm: false, isAhead: true))
        var found = try #require(try seen())
        #expect(found.behind == 2 && !found.isWarm && found.isAhead)
        try marks.note(.init(groups: 3, isWarm: true, isAhead: false))
        found = try #require(try seen())
        #expect(found.behind == 0 && found.isWarm && !found.isAhead)
        // Another has no row of its own.
        let stranger = PostgresMarks(database, run: 6)
        defer { stranger.close() }
        try stranger.note(.init(groups: 3, isWarm: true, isAhead: false))
        let rows = try TemporaryPostgres.shared.get()
            .query("SELECT run FROM belfry.standing", in: name)
        #expect(rows == "5")
    }

    @Test("are asked for over another connection where one was lost")
    func lost() throws {
        let marks = PostgresMarks(database, run: 1)
        defer { marks.close() }
        try append(lead("a"))
        let before = try marks.all()
        try TemporaryPostgres.shared.get().query(
            """
            SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """,
            in: name
        )
        #expect(throws: PostgresError.self) { try marks.all() }
        #expect(try marks.all() == before)
    }
}
