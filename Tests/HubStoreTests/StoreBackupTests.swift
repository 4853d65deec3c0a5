import Foundation
import GRDB
import HubModel
@testable import HubStore
import HubVocabulary
import Testing

@Suite("Backups of a store")
struct StoreBackupTests {
    private func copy(_ fixture: StoreFixture, _ name: String = "copy") throws -> String {
        let path = fixture.folder + "/" + name
        _ = try StoreBackup.copy(fixture.path, to: path) { _, _, _ in }
        return path
    }

    private func sequences(_ store: SQLiteStore) throws -> [UInt64] {
        try store.reader.records(after: 0, through: .max, limit: 1_000, bytesMax: .max)
            .map(\.sequence)
    }

    @Test("hold what was committed, while the store is open and after more was written")
    func online() throws {
        let fixture = StoreFixture()
        let store = try #require(try fixture.reopen(epoch: 7) as? SQLiteStore)
        _ = store.commit(
            changes: [.put(Sample.registration(1)), .put(Sample.registration(2))],
            records: Sample.records(1...3)
        )
        try store.checkpoint([Sample.cursor(1, 2, 2, 1)])
        let path = try copy(fixture)
        _ = store.commit(changes: [.put(Sample.registration(3))], records: Sample.records(4...5))

        let copied = try SQLiteStore(folder: path, epochSeed: 99)
        #expect(copied.events == [], "the copy agrees with itself")
        #expect(copied.bounds.epoch == 7)
        #expect(copied.bounds.head == 3)
        #expect(try sequences(copied) == [1, 2, 3])
        var numbers: [UInt32] = []
        try copied.forEachRegistration { numbers.append($0.number.raw) }
        #expect(numbers == [1, 2])
        var cursors: [StoredCursor] = []
        try copied.forEachCursor { cursors.append($0) }
        #expect(cursors.map(\.acknowledged) == [2])
        copied.close()
        #expect(try sequences(store) == [1, 2, 3, 4, 5])
    }

    @Test("are only readable by their owner, and never replace a store")
    func folder() throws {
        let fixture = StoreFixture()
        _ = try fixture.reopen(epoch: 7)
        let path = try copy(fixture)
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        #expect(throws: StoreError.self) { try copy(fixture) }
    }

    @Test("go on in an epoch of their own, above everything they hold")
    func epoch() throws {
        let fixture = StoreFixture()
        let store = try #require(try fixture.reopen(epoch: 7) as? SQLiteStore)
        _ = store.commit(changes: [.put(Sample.registration(1))], records: Sample.records(1...3))
        let check = try store.reader.check(at: 3)
        let path = try copy(fixture)
        // A number that the log has already is not taken again.
        let place = try StoreBackup.beginEpoch(in: path, seed: 7)
        #expect(place.sequence == 4)
        #expect(place.epoch != 7 && place.epoch != 0)

        let restored = try SQLiteStore(folder: path, epochSeed: 99)
        #expect(restored.events == [])
        #expect(restored.bounds.epoch == place.epoch)
        #expect(restored.bounds.epochs.map(\.sequence) == [1, 4])
        #expect(restored.bounds.head == 3)
        #expect(try restored.reader.check(at: 3) == check, "positions up to there still fit")
        restored.close()
    }

    @Test("of a hub without records, and copies of copies, go on in an epoch of their own too")
    func epochWithoutRecords() throws {
        let fixture = StoreFixture()
        let store = try #require(try fixture.reopen(epoch: 7) as? SQLiteStore)
        _ = store.commit(changes: [.put(Sample.registration(1))], records: [])
        let path = try copy(fixture)
        for seed in UInt64(20)...22 {
            #expect(try StoreBackup.beginEpoch(in: path, seed: seed).sequence == 1)
        }
        let restored = try SQLiteStore(folder: path, epochSeed: 99)
        #expect(restored.events == [])
        #expect(restored.bounds.epoch == 22 && restored.bounds.head == 0)
        #expect(restored.commit(changes: [], records: Sample.records(1...2)).records == nil)
        restored.close()
        for seed in UInt64(30)...31 {
            #expect(try StoreBackup.beginEpoch(in: path, seed: seed).sequence == 3)
        }
        let again = try SQLiteStore(folder: path, epochSeed: 99)
        #expect(again.bounds.epochs.map(\.sequence) == [1, 3])
        #expect(again.bounds.epoch == 31 && again.bounds.head == 2)
        again.close()
    }

    @Test("are refused where the files are none of ours")
    func foreign() throws {
        let fixture = StoreFixture()
        try FileManager.default.createDirectory(
            atPath: fixture.path,
            withIntermediateDirectories: true
        )
        let queue = try DatabaseQueue(path: fixture.path + "/" + SliceFile.name(1))
        try queue.inDatabase { try $0.execute(sql: "CREATE TABLE entry(seq INTEGER)") }
        try queue.close()
        #expect(throws: StoreError.self) { try copy(fixture) }
    }
}

@Suite("Verification of a store")
struct StoreVerificationTests {
    private func filled() throws -> StoreFixture {
        let fixture = StoreFixture()
        let store = try fixture.reopen(epoch: 7)
        _ = store.commit(
            changes: [
                .put(Sample.registration(1)), .put(Sample.registration(2)),
                .putInstallation(Sample.installation(1)), .putSchedule(Sample.schedule(1, key: 1)),
            ],
            records: Sample.records(1...3) + [
                Sample.record(4, key: 2, schedule: Sample.schedule(2).id)
            ]
        )
        _ = store.commit(changes: [.remove(Sample.registration(2))], records: [])
        try store.checkpoint([Sample.cursor(1, 2, 2, 1)])
        try store.checkpoint([Sample.delta(1, .apple, .sent, 3)])
        try store.revoke(DeviceID(high: 1, low: 2), generation: 3)
        return fixture
    }

    private func edit(_ fixture: StoreFixture, _ file: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: fixture.path + "/" + file)
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func verify(_ fixture: StoreFixture) throws -> StoreVerification {
        try StoreVerification.of(fixture.path) { _ in }
    }

    @Test("finds nothing in a sound store, open or closed, and knows every table")
    func sound() throws {
        let fixture = try filled()
        for _ in 0..<2 {
            let found = try verify(fixture)
            #expect(found.faults == [])
            #expect(found.rows >= 14)
            fixture.close()
        }
    }

    @Test(
        "names a row whose content was changed behind its checksum",
        arguments: [
            (SliceFile.name(1), "UPDATE entry SET body = zeroblob(40) WHERE seq = 2", "entry 2"),
            (
                SliceFile.name(1), "UPDATE entry SET check_value = check_value + 1 WHERE seq = 3",
                "entry 3"
            ),
            (SliceFile.name(1), "DELETE FROM entry WHERE seq = 2", "hole between 1 and 3"),
            (
                RegistrationFile.name, "UPDATE registration SET deleted = 1 WHERE rid = 1",
                "registration 1"
            ),
            (
                RegistrationFile.name, "UPDATE registration SET checksum = 0 WHERE rid = 2",
                "registration 2"
            ),
            (
                RegistrationFile.name, "UPDATE registration SET slot = 999 WHERE rid = 1",
                "registration 1"
            ),
            (
                RegistrationFile.name, "UPDATE registration SET handle = x'41' WHERE rid = 1",
                "registration 1"
            ),
            (
                RegistrationFile.name,
                "UPDATE registration SET device = zeroblob(16) WHERE rid = 1",
                "registration 1"
            ),
            (RegistrationFile.name, "UPDATE meta SET epoch = 0", "meta 1"),
            (RegistrationFile.name, "UPDATE meta SET rid_max = -1", "meta 1"),
            (StateFile.name, "UPDATE meta SET batch = -1", "meta 1"),
            (SliceFile.name(1), "UPDATE epoch SET check_below = -1 WHERE first = 1", "epoch 1"),
            (
                SliceFile.name(1), "DELETE FROM batch WHERE first = (SELECT max(first) FROM batch)",
                "has no headers"
            ),
            (RegistrationFile.name, "UPDATE device SET generation = 4", "device"),
            (StateFile.name, "UPDATE cursor_journal SET cursors = zeroblob(48)", "cursor_journal"),
            (RegistrationFile.name, "UPDATE installation SET checksum = 1", "installation"),
            (RegistrationFile.name, "UPDATE schedule SET due = due + 1", "schedule"),
            (RegistrationFile.name, "UPDATE schedule_key SET checksum = 1", "schedule_key"),
            (SliceFile.name(1), "UPDATE idempotency SET scope = zeroblob(32)", "idempotency 4"),
            (StateFile.name, "UPDATE counter SET block = 7", "counter 7"),
            (StateFile.name, "CREATE TABLE stranger(a)", "no check is known for table stranger"),
        ]
    )
    func damage(_ file: String, _ sql: String, _ expected: String) throws {
        let fixture = try filled()
        fixture.close()
        try edit(fixture, file, sql)
        let found = try verify(fixture)
        #expect(found.faultCount == 1, "\(found.faults)")
        #expect(found.faults.first?.contains(expected) == true, "\(found.faults)")
    }

    @Test("finds pages that were overwritten")
    func pages() throws {
        let fixture = try filled()
        fixture.close()
        let path = fixture.path + "/" + SliceFile.name(1)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in SliceFile.pageBytes..<min(bytes.count, 4 * SliceFile.pageBytes) {
            bytes[index] = 0x5A
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try verify(fixture).faultCount > 0)
    }

    @Test("finds nothing wrong with an epoch that begins above a piece of lost history")
    func lostHistory() throws {
        let fixture = StoreFixture()
        var store = try fixture.reopen(epoch: 7)
        _ = store.commit(changes: [], records: Sample.records(1...3))
        fixture.close()
        let (manager, older) = (FileManager.default, fixture.folder + "/older")
        try manager.copyItem(atPath: fixture.path, toPath: older)
        store = try fixture.reopen(epoch: 7)
        _ = store.commit(changes: [], records: Sample.records(4...5))
        _ = store.commit(changes: [.put(Sample.registration(1))], records: [])
        fixture.close()
        for name in try manager.contentsOfDirectory(atPath: fixture.path)
        where name.hasPrefix("log") {
            try manager.removeItem(atPath: fixture.path + "/" + name)
        }
        for name in try manager.contentsOfDirectory(atPath: older) where name.hasPrefix("log") {
            try manager.copyItem(atPath: older + "/" + name, toPath: fixture.path + "/" + name)
        }
        store = try fixture.reopen(epoch: 8)
        #expect(store.bounds.epochs.map(\.sequence) == [1, 6])
        _ = store.commit(changes: [], records: Sample.records(6...7, salt: 1))
        let found = try verify(fixture)
        #expect(found.faults == [])
        #expect(found.rows >= 8)
    }
}
