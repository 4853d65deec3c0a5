import Foundation
import GRDB
import HubModel
@testable import HubStore
import HubTags
import HubVocabulary
import Testing

/// The store that every release must be able to open, as today's schema writes it.
///
/// `Tests/Golden/make` writes it into `Tests/Golden/schema-N`. What is there already is never written
/// again, because it is what older releases have left behind.
enum GoldenStore {
    /// A fixture with a copy of the golden store.
    static func fixture() throws -> StoreFixture {
        let fixture = StoreFixture()
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: fixture.folder + "/hubs",
            withIntermediateDirectories: true
        )
        let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("Golden/schema-\(SQLiteFile.schema)")
        try manager.copyItem(atPath: golden.path, toPath: fixture.path)
        return fixture
    }

    /// A fixture with a new store of the same contents.
    static func fresh() throws -> StoreFixture {
        let fixture = StoreFixture()
        fixture.limits = limits
        try fillAll(try fixture.reopen())
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

    /// Fills a new store with one of everything, in two slices.
    static func fillAll(_ store: any HubStorage) throws {
        try fill(store)
        let settings = HubSettings(
            timeToLiveDefaultSeconds: 600,
            retentionSeconds: 86_400,
            deviceCap: 77,
            purgedThrough: 1
        )
        let first = store.commit(
            changes: [
                .putJob(try Sample.job(1_763_700_000_000)), .putSettings(settings),
                .cancelSchedule(Sample.schedule(12, due: 6_000)),
            ],
            records: [record(6), record(7, key: 60)]
        )
        while try store.tidy(now: .at(0), keptSeconds: .max >> 20).hasMore {}
        let rows = (1...4).map { StoredChange.putDeparture(Sample.departure($0)) }
        let second = store.commit(changes: rows, records: [])
        guard first.changes == nil, first.records == nil, second.changes == nil else {
            throw StoreError.unavailable(reason: "\(first) \(second)")
        }
    }

    /// How the store is cut: its first slice is sealed.
    static var limits: StoreLimits {
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
            schedule: schedule,
            anchors: draft.anchors { _ in 0 }
        )
    }
}

@Suite("A store of today's schema")
struct GoldenStoreTests {
    @Test("is opened with all that is in it, and goes on")
    func opens() throws {
        let fixture = try GoldenStore.fixture()
        let store = try #require(try fixture.reopen(epoch: 99) as? SQLiteStore)
        #expect(store.events == [])
        let fresh = try GoldenStore.fresh()
        let expected = try fresh.reopen()
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
        let lists = try store.reader.candidates(
            anchors: [AnchorKey(device: DeviceID(high: 5, low: 6))],
            after: 0,
            through: 5,
            limit: 9
        )
        #expect(lists.sequences.contains(2) && lists.sequences.contains(5))
        let next = store.commit(changes: [], records: [GoldenStore.record(8)])
        #expect(next.records == nil)
    }

    @Test("is delivered from")
    func delivers() throws {
        let fixture = try GoldenStore.fixture()
        let store = try fixture.reopen(epoch: 99)
        let expected: [UInt64] = [2, 6]
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

    @Test(
        "is written where BELFRY_GOLDEN says",
        .enabled(if: ProcessInfo.processInfo.environment["BELFRY_GOLDEN"] != nil)
    )
    func make() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["BELFRY_GOLDEN"])
        try #require(!FileManager.default.fileExists(atPath: folder))
        let limits = GoldenStore.limits
        let store = try SQLiteStore(folder: folder, epochSeed: 7, limits: limits)
        try GoldenStore.fillAll(store)
        store.close()
    }
}
