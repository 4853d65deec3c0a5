import Foundation
import GRDB
import HubModel
@testable import HubStore
import HubTags
import HubVocabulary
import Testing

/// The store that every release must be able to open, as each schema writes it.
///
/// `Tests/Golden/make` writes the present schema's into `Tests/Golden/schema-N`; what is there
/// already is never written again, because it is what older releases have left behind.
enum GoldenStore {
    /// A fixture with a copy of the golden store of a schema.
    static func fixture(_ schema: Int) throws -> StoreFixture {
        let fixture = StoreFixture()
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: fixture.folder + "/hubs",
            withIntermediateDirectories: true
        )
        let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Golden/schema-\(schema)")
        try manager.copyItem(atPath: golden.path, toPath: fixture.path)
        return fixture
    }

    /// Fills a new store with one of everything.
    static func fill(_ store: any HubStorage) throws {
        let gone = Sample.registration(2)
        let first = store.commit(
            changes: [
                .put(Sample.registration(1)), .put(gone), .put(Sample.registration(3, sequence: 2)),
                .putInstallation(Sample.installation(1)), .putInstallation(Sample.installation(2)),
                .putSchedule(Sample.schedule(10, due: 4_000, key: 70)),
                .putSchedule(Sample.schedule(11, due: 5_000)),
                .putSchedule(Sample.schedule(12, due: 6_000)),
            ],
            records: [record(1), record(2, key: 20), record(3)]
        )
        let second = store.commit(
            changes: [.remove(gone), .removeInstallation(Sample.installation(1))],
            // The schedule of number 11 became a record; its removal was cut off.
            records: [record(4, key: 40), record(5, schedule: Sample.schedule(11).id)]
        )
        guard first.changes == nil, first.records == nil, second.changes == nil,
            second.records == nil
        else { throw StoreError.unavailable(reason: "\(first) \(second)") }
        try store.checkpoint(
            CheckpointBatch(
                number: 1,
                cursors: [Sample.cursor(1, 3, 4, 5), Sample.cursor(2, 5, 5, 6)],
                counters: [Sample.delta(1, .apple, .sent, 2), Sample.delta(4, nil, .matched, 1)]
            )
        )
        try store.revoke(DeviceID(high: 1, low: 2), generation: 3)
    }

    /// Fills a new store with all that the second schema has besides, in two slices.
    static func fillSecond(_ store: any HubStorage) throws {
        try fill(store)
        let settings = HubSettings(
            timeToLiveDefaultSeconds: 600,
            retentionSeconds: 86_400,
            deviceCap: 77,
            purgedThrough: 1
        )
        let result = store.commit(
            changes: [
                .putJob(try Sample.job(1_763_700_000_000)), .putSettings(settings),
                .cancelSchedule(Sample.schedule(12, due: 6_000)),
            ],
            records: [record(6), record(7, key: 60)]
        )
        guard result.changes == nil, result.records == nil else {
            throw StoreError.unavailable(reason: "\(result)")
        }
        while try store.tidy(now: .at(0), keptSeconds: .max >> 20).hasMore {}
    }

    /// Fills a new store with all that the third schema has besides.
    static func fillThird(_ store: any HubStorage) throws {
        try fillSecond(store)
        let rows = (1...4).map { StoredChange.putDeparture(Sample.departure($0)) }
        let result = store.commit(changes: rows, records: [])
        guard result.changes == nil else { throw StoreError.unavailable(reason: "\(result)") }
    }

    /// How the second schema's store was cut: its first slice is sealed.
    static var secondLimits: StoreLimits {
        var limits = StoreLimits()
        limits.sliceRecordsMax = 5
        return limits
    }

    /// Records of every kind of target; accepted in November 2025, so that all have expired.
    static func record(
        _ sequence: UInt64,
        key: UInt64? = nil,
        schedule: ScheduleID? = nil
    ) -> NotificationRecord {
        let targets: [NotificationTarget] = [
            .broadcast, .handles(["AB".bytes, "CD".bytes]),
            .slots([RegistrationTarget(device: DeviceID(high: 5, low: 6), slot: 3)]),
        ]
        let body = #"{"text":"number \#(sequence)"}"#.bytes
        let draft = NotificationDraft(
            format: sequence % 2 == 0 ? .native(.apple) : .native(.fcmV1),
            target: targets[Int(sequence) % targets.count],
            body: body,
            contentType: "application/json".bytes,
            headers: [NamedValue(name: "apns-topic".bytes, value: "x".bytes)],
            timeToLive: sequence == 3 ? .transient : .seconds(3_600),
            collapseKey: sequence == 4 ? "score".bytes : [],
            idempotency: key.map { Sample.key($0) }
        )
        return NotificationRecord(
            sequence: sequence,
            id: NotificationID(
                high: (1_763_700_000_000 + sequence) << 16 | 0x7000,
                low: ~sequence &* 0x9E37_79B9
            ),
            draft: draft,
            properties: nil,
            schedule: schedule,
            anchors: draft.anchors { _ in 0 }
        )
    }
}

@Suite("Stores of older releases")
struct GoldenStoreTests {
    private func schema(_ path: String) throws -> Int? {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.inDatabase { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }

    /// Whether a store holds what `GoldenStore.fill` has put into one.
    private func expectGolden(
        _ store: any HubStorage,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let fresh = StoreFixture()
        let expected = try fresh.reopen()
        try GoldenStore.fill(expected)
        #expect(try Contents(of: store) == Contents(of: expected), sourceLocation: sourceLocation)
        let lists = try store.reader.candidates(
            anchors: [AnchorKey(device: DeviceID(high: 5, low: 6))],
            after: 0,
            through: 5,
            limit: 9
        )
        #expect(lists.sequences.contains(2) && lists.sequences.contains(5))
        let next = store.commit(changes: [], records: [GoldenStore.record(6)])
        #expect(next.records == nil, sourceLocation: sourceLocation)
    }

    @Test("of later schemas are opened with all that is in them", arguments: [2, 3])
    func second(schema: Int) throws {
        let fixture = try GoldenStore.fixture(schema)
        let store = try #require(try fixture.reopen(epoch: 99) as? SQLiteStore)
        let fresh = StoreFixture()
        fresh.limits = GoldenStore.secondLimits
        let expected = try fresh.reopen()
        if schema == 2 {
            try GoldenStore.fillSecond(expected)
        } else {
            try GoldenStore.fillThird(expected)
        }
        #expect(store.events.count == (schema == SQLiteFile.schema ? 0 : 1))
        #expect(try Contents(of: store) == Contents(of: expected))
        #expect(try store.settings() == expected.settings())
        func rest(_ store: any HubStorage) throws -> [[UInt8]] {
            var found: [[UInt8]] = []
            try store.forEachJob { found.append(JobCodec.encode($0)) }
            try store.forEachCancelled { found.append(ScheduleCodec.encode($0)) }
            return found
        }
        let found = try rest(store)
        #expect(found == (try rest(expected)))
        #expect(found.count == 2)
        let next = store.commit(changes: [], records: [GoldenStore.record(8)])
        #expect(next.records == nil)
    }

    @Test("are delivered from", arguments: [(1, [2]), (2, [2, 6]), (3, [2, 6])])
    func delivers(schema: Int, expected: [UInt64]) throws {
        let fixture = try GoldenStore.fixture(schema)
        let store = try fixture.reopen(epoch: 99)
        let device = DeviceID(high: 5, low: 6)
        let began = LogPlace(epoch: 7, sequence: 1)
        let registration = Registration(
            number: RegistrationNumber(1_000),
            id: "1-1-9".bytes,
            version: 1,
            content: RegistrationContent(platform: .apple, handle: [], tags: TagSet()),
            granted: TagSet(),
            target: RegistrationTarget(device: device, slot: 3),
            template: nil,
            since: began,
            tagsSince: began
        )
        let query = LogQuery(
            address: ConnectionAddress(
                shard: 0,
                connection: ConnectionID(slot: 0, generation: 0)
            ),
            ticket: 1,
            after: 0,
            through: store.bounds.head,
            limit: 9,
            device: device,
            handle: [],
            registrations: [registration],
            purgedThrough: try store.settings()?.purgedThrough ?? 0
        )
        let now = Timestamp(milliseconds: 1_763_700_001_000)
        let page = try query.page(from: store.reader, now: now)
        #expect(page.records.map(\.sequence) == expected)
        let bodies = expected.map { GoldenStore.record($0).draft.body }
        #expect(page.records.map(\.draft.body) == bodies)
        #expect(page.through == store.bounds.head)
    }

    private func backups(_ fixture: StoreFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.path)
            .filter { $0.hasPrefix("schema-") }
    }

    @Test("are opened with all that is in them, and a copy of them is kept", arguments: [1])
    func opens(schema number: Int) throws {
        let fixture = try GoldenStore.fixture(number)
        let store = try #require(try fixture.reopen(epoch: 99) as? SQLiteStore)
        guard case .migrated(from: number, let backup) = store.events.first else {
            Issue.record("\(store.events)")
            return
        }
        #expect(store.events.count == 1)
        try expectGolden(store)
        for name in ["registrations.sqlite", "log-000001.sqlite", "state.sqlite"] {
            #expect(try schema(fixture.path + "/" + name) == SQLiteFile.schema)
            #expect(try schema(backup + "/" + name) == number)
        }
        // The next start has nothing to do.
        let again = try #require(try fixture.reopen() as? SQLiteStore)
        #expect(again.events == [])
        #expect(try backups(fixture) == [URL(fileURLWithPath: backup).lastPathComponent])
        // What was kept can be opened like the original.
        let kept = try SQLiteStore(folder: backup, epochSeed: 99, limits: fixture.limits)
        try expectGolden(kept)
        kept.close()
    }

    @Test(
        "are opened when their migration was cut off between two files, and copied only once",
        arguments: [1, 2]
    )
    func cutOff(files: Int) throws {
        let fixture = try GoldenStore.fixture(1)
        var progress = OpeningProgress(fixture.limits) { _ in }
        let folder = try StoreFolder(path: fixture.path)
        _ = try StoreMigration.prepare(folder, limits: fixture.limits, &progress)
        try RegistrationFile(path: fixture.path + "/" + RegistrationFile.name).file.close()
        if files > 1 { try SliceFile(path: fixture.path + "/" + SliceFile.name(1)).file.close() }
        folder.close()
        try expectGolden(try fixture.reopen(epoch: 99))
        let copies = try backups(fixture)
        #expect(copies.count == 1)
        for copy in copies {
            #expect(try schema(fixture.path + "/\(copy)/" + RegistrationFile.name) == 1)
        }
    }

    /// Puts the golden files of the first schema where a fixture's files are.
    private func putBack(_ fixture: StoreFixture) throws {
        let golden = try GoldenStore.fixture(1)
        let manager = FileManager.default
        let files = try manager.contentsOfDirectory(atPath: golden.path)
        for name in try manager.contentsOfDirectory(atPath: fixture.path)
        where name.contains(".sqlite") {
            try manager.removeItem(atPath: fixture.path + "/" + name)
        }
        for name in files {
            try manager.copyItem(
                atPath: golden.path + "/" + name,
                toPath: fixture.path + "/" + name
            )
        }
    }

    @Test("that were put back since are copied again unless they are the same")
    func putBackSince() throws {
        let fixture = try GoldenStore.fixture(1)
        let first = try #require(try fixture.reopen(epoch: 99) as? SQLiteStore)
        #expect(first.events.count == 1)
        first.close()
        let copies = try backups(fixture)
        #expect(copies.count == 1)

        try putBack(fixture)
        let again = try #require(try fixture.reopen(epoch: 99) as? SQLiteStore)
        guard case .migrated(from: 1, let backup) = again.events.first else {
            Issue.record("\(again.events)")
            return
        }
        #expect(URL(fileURLWithPath: backup).lastPathComponent == copies.first)
        #expect(try backups(fixture) == copies)
        again.close()

        try putBack(fixture)
        try edit(fixture.path + "/" + RegistrationFile.name, "DELETE FROM device")
        let other = try #require(try fixture.reopen(epoch: 99) as? SQLiteStore)
        guard case .migrated(from: 1, let second) = other.events.first else {
            Issue.record("\(other.events)")
            return
        }
        #expect(try backups(fixture).count == 2)
        #expect(URL(fileURLWithPath: second).lastPathComponent != copies.first)
        let kept = try DatabaseQueue(path: second + "/" + RegistrationFile.name)
        defer { try? kept.close() }
        #expect(
            try kept.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM device") } == 0
        )
        #expect(try schema(second + "/" + RegistrationFile.name) == 1)
        other.close()
    }

    @Test("are opened when the process was killed in the middle of a file")
    func killed() async throws {
        let fixture = try GoldenStore.fixture(1)
        let path = fixture.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let file = path + "/" + SliceFile.name(1)
            let queue = try DatabaseQueue(path: file)
            try queue.inTransaction(.immediate) { database in
                try SliceFile.migrateFirst(database, path: file)
                try database.execute(sql: "PRAGMA cache_spill = 1; PRAGMA cache_size = 1")
                kill(getpid(), SIGKILL)
                return .commit
            }
        }
        try expectGolden(try fixture.reopen(epoch: 99))
    }

    @Test("that are damaged are refused and stay as they are")
    func damaged() throws {
        let fixture = try GoldenStore.fixture(1)
        let log = fixture.path + "/" + SliceFile.name(1)
        try edit(log, "UPDATE entry SET check_value = check_value + 1 WHERE seq = 4")
        #expect(throws: StoreError.corrupted("\(log): record 4")) { try fixture.reopen() }
        #expect(try schema(log) == 1)
    }

    @Test("whose copy was cut off are copied again")
    func halfCopied() throws {
        let fixture = try GoldenStore.fixture(1)
        let staging = fixture.path + "/." + StoreMigration.name(schema: 1, time: Date())
        try FileManager.default.createDirectory(
            atPath: staging,
            withIntermediateDirectories: true
        )
        try expectGolden(try fixture.reopen())
        #expect(try backups(fixture).count == 1)
        #expect(!FileManager.default.fileExists(atPath: staging))
    }

    @Test(
        "are written where BELFRY_GOLDEN says",
        .enabled(if: ProcessInfo.processInfo.environment["BELFRY_GOLDEN"] != nil)
    )
    func make() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["BELFRY_GOLDEN"])
        try #require(!FileManager.default.fileExists(atPath: folder))
        let limits = GoldenStore.secondLimits
        let store = try SQLiteStore(folder: folder, epochSeed: 7, limits: limits)
        try GoldenStore.fillThird(store)
        store.close()
    }
}
