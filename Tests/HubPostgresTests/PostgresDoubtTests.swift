import HubCluster
import HubHarness
import HubModel
import HubPostgres
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Commits in doubt on PostgreSQL", .enabled(if: TemporaryPostgres.isInstalled))
struct PostgresDoubtTests {
    /// A leader's log in a database of its own, with time for a busy machine.
    private func lead(_ url: String, resolving: Duration = .seconds(120)) throws -> PostgresGroupLog
    {
        var limits = PostgresLogLimits()
        limits.resolving = resolving
        limits.waiting = .seconds(60)
        limits.pause = .milliseconds(5)
        let database = try PostgresDatabase(opening: PostgresAddress(url), limits: .patient)
        let log = try PostgresGroupLog(leading: "news", in: database, limits: limits)
        if log.place.epochs.isEmpty {
            try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        }
        return log
    }

    /// Stores the next group of so many records.
    private func append(
        _ count: UInt64,
        to log: PostgresGroupLog,
        _ random: inout SeededGenerator
    ) throws {
        var records: [NotificationRecord] = []
        for offset in 1...count {
            let draft = try random.draft()
            let id = NotificationID(high: random.next(), low: random.next())
            records.append(
                NotificationRecord(sequence: log.place.head + offset, id: id, draft: draft)
            )
        }
        let group = log.place.next([], records)
        try log.append(group, GroupEffect([], head: log.place.head))
    }

    @Test(
        "a group is stored once, whenever its connection is ended",
        arguments: [1, 2] as [UInt64]
    )
    func terminated(seed: UInt64) throws {
        let server = try TemporaryPostgres.shared.get()
        let url = try server.newDatabase()
        let name = String(try #require(url.split(separator: "/").last))
        let log = try lead(url)
        let end = """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = '\(name)' AND pid <> pg_backend_pid()
            """
        let killer = ThreadWork { () throws -> Int in
            let address = try PostgresAddress(server.url())
            let connection = try PostgresConnection(to: address, limits: .patient)
            var ended = 0
            while ended < 40 {
                do {
                    ended += Int(try connection.run(PostgresCommand(sql: end)).integer(0, 0))
                } catch PostgresError.warned {
                    // One of them had ended by itself before it could be ended.
                }
            }
            return ended
        }
        var random = SeededGenerator(seed: seed)
        var stored: UInt64 = 0
        for _ in 0..<200 {
            try append(2, to: log, &random)
            stored += 1
        }
        #expect(try killer.value() >= 40)
        try append(1, to: log, &random)
        #expect(log.place.feed == stored + 1 && log.place.head == 2 * stored + 1)
        #expect(try log.reading.place() == log.place)
        let start = CopyPlace(feed: 0, head: 0, headCheck: 0)
        var (place, numbers) = (start, [UInt64]())
        while true {
            let read = try log.reading.groups(after: place, bytesMax: 1 << 20).groups
            guard let last = read.last else { break }
            numbers += read.map(\.number)
            place = CopyPlace(feed: last.number, head: last.head, headCheck: 0)
        }
        #expect(numbers == Array(1...stored + 1), "seed \(seed)")
    }

    @Test("a server that was killed comes back with everything that was stored")
    func killed() throws {
        let server = try TemporaryPostgres()
        let log = try lead(try server.newDatabase())
        var random = SeededGenerator(seed: 5)
        for _ in 0..<3 {
            try append(3, to: log, &random)
            let before = log.place
            try server.kill()
            try server.start()
            try append(2, to: log, &random)
            #expect(log.place.feed == before.feed + 1)
            #expect(try log.reading.place() == log.place)
        }
    }

    @Test("a standby that is promoted has everything that was stored")
    func promoted() throws {
        let primary = try TemporaryPostgres()
        try primary.query("CREATE DATABASE hub")
        let standby = try TemporaryPostgres(standbyOf: primary)
        try primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try primary.reload()
        try eventually(blocking: "a synchronous standby") {
            try primary.query("SELECT sync_state FROM pg_stat_replication") == "sync"
        }
        let url =
            "postgres:///hub?user=\(TemporaryPostgres.user)"
            + "&host=\(primary.folder),\(standby.folder)&port=\(primary.port),\(standby.port)"
        let log = try lead(url)
        var random = SeededGenerator(seed: 6)
        for _ in 0..<20 { try append(3, to: log, &random) }
        try primary.kill()
        try standby.promote()
        try append(2, to: log, &random)
        #expect(log.place.feed == 21 && log.place.head == 62)
        #expect(try log.reading.place() == log.place)
    }

    @Test("a doubt that is not resolved in time ends the lead, and nothing is stored twice")
    func unresolved() throws {
        let server = try TemporaryPostgres()
        let url = try server.newDatabase()
        let log = try lead(url, resolving: .milliseconds(50))
        var random = SeededGenerator(seed: 7)
        try append(1, to: log, &random)
        try server.kill()
        #expect(throws: StoreError.fenced) { try append(1, to: log, &random) }
        #expect(throws: StoreError.fenced) { try log.probe() }
        try server.start()
        #expect(throws: StoreError.fenced) { try log.probe() }
        #expect(try lead(url).place.feed == 1)
    }

    @Test("what comes late, behind a later group, is refused", arguments: 0..<4)
    func late(call: Int) throws {
        let server = try TemporaryPostgres.shared.get()
        let url = try server.newDatabase()
        let name = String(try #require(url.split(separator: "/").last))
        let log = try lead(url)
        var random = SeededGenerator(seed: 8)
        for _ in 0..<3 { try append(1, to: log, &random) }
        // The number of a group that this request does not know.
        try server.query("UPDATE belfry.head SET feed = feed + 1", in: name)
        #expect(throws: StoreError.fenced) {
            switch call {
            case 0: try log.purge(through: 2)
            case 1: try log.probe()
            case 2:
                var extent = TrimExtent()
                (extent.first, extent.changesBelow) = (3, 2)
                _ = try log.trim(extent)
            default:
                try log.begin(GroupEpoch(place: LogPlace(epoch: 9, sequence: 9), checkBelow: 0))
            }
        }
        let row = try server.query(
            "SELECT purged, first, feed_first, head FROM belfry.head",
            in: name
        )
        #expect(row == "0|1|1|3")
        #expect(try server.query("SELECT count(*) FROM belfry.log", in: name) == "3")
    }
}
