import Foundation
import GRDB
import HubModel
@testable import HubStore
import HubVocabulary
import Testing

@Suite("SQLite store")
struct SQLiteStoreTests {
    /// Runs SQL on a file of a closed or open store, as another program would.
    private func edit(_ file: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func open(_ fixture: StoreFixture, epoch: UInt64 = 7) throws -> SQLiteStore {
        let store = try fixture.reopen(epoch: epoch)
        return try #require(store as? SQLiteStore)
    }

    private func failure(_ fixture: StoreFixture) -> StoreError? {
        do {
            _ = try fixture.reopen()
            return nil
        } catch { return error as? StoreError }
    }

    private static let files = [RegistrationFile.name, SliceFile.name(1), StateFile.name]

    @Test("folders are 0700 and all files 0600, while open and after")
    func modes() throws {
        let fixture = StoreFixture()
        let store = try open(fixture)
        _ = store.commit(changes: [.put(Sample.registration(1))], records: Sample.records(1...1))
        try store.checkpoint([Sample.cursor(1, 1, 1, 1)])
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        for folder in [fixture.folder, fixture.folder + "/hubs", fixture.path] {
            #expect(try mode(folder) == 0o700, "\(folder)")
        }
        for _ in 0..<2 {
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path)
            #expect(names.count >= 3)
            for name in names { #expect(try mode(fixture.path + "/" + name) == 0o600, "\(name)") }
            fixture.close()
        }
    }

    @Test("every file is written with synchronous FULL and a write-ahead log")
    func durability() throws {
        let fixture = StoreFixture()
        let store = try open(fixture)
        let log = try #require(store.copy.log.present).file
        for file in [store.copy.registrations.file, log, store.state.file] {
            let level = try file.accessing { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
            let mode = try file.accessing { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
            #expect(level == 2, "\(file.path)")
            #expect(mode == "wal", "\(file.path)")
        }
        let bytes = try log.accessing { try Int.fetchOne($0, sql: "PRAGMA page_size") }
        #expect(bytes == SliceFile.pageBytes)
    }

    @Test("a second store in the folder is kept out until the first is closed")
    func locked() throws {
        let fixture = StoreFixture()
        let store = try open(fixture)
        #expect(throws: StoreError.locked(path: fixture.path)) {
            try SQLiteStore(folder: fixture.path, epochSeed: 1)
        }
        store.close()
        let second = try SQLiteStore(folder: fixture.path, epochSeed: 1)
        second.close()
    }

    @Test("a file of a newer release is left alone", arguments: files)
    func newerSchema(name: String) throws {
        let fixture = StoreFixture()
        _ = try fixture.reopen()
        fixture.close()
        try edit(fixture.path + "/" + name, "PRAGMA user_version = \(SQLiteFile.schema + 1)")
        #expect(
            failure(fixture) == .newerSchema(found: SQLiteFile.schema + 1, known: SQLiteFile.schema)
        )
    }

    @Test("a file from before the first release is left alone", arguments: files)
    func olderSchema(name: String) throws {
        let fixture = StoreFixture()
        _ = try fixture.reopen()
        fixture.close()
        try edit(fixture.path + "/" + name, "PRAGMA user_version = 1")
        #expect(failure(fixture) == .olderSchema(found: 1, known: SQLiteFile.schema))
    }

    @Test("a file of another program is left alone", arguments: files)
    func foreignFile(name: String) throws {
        let fixture = StoreFixture()
        _ = try fixture.reopen()
        fixture.close()
        let path = fixture.path + "/" + name
        try edit(path, "PRAGMA application_id = 5")
        #expect(failure(fixture) == .cannotOpen(path: path, reason: "not a file of this program"))
    }

    @Test("a file that is no database is named", arguments: files)
    func garbage(name: String) throws {
        let fixture = StoreFixture()
        _ = try fixture.reopen()
        fixture.close()
        let path = fixture.path + "/" + name
        try Data(repeating: 0x5A, count: 8_192).write(to: URL(fileURLWithPath: path))
        guard case .corrupted(let what) = failure(fixture) else {
            Issue.record("\(String(describing: failure(fixture)))")
            return
        }
        #expect(what.hasPrefix(path))
    }

    @Test("a folder that cannot be made or opened is named, with the system's reason")
    func unreadableFolder() throws {
        let fixture = StoreFixture()
        try FileManager.default.createDirectory(
            atPath: fixture.folder,
            withIntermediateDirectories: true
        )
        let file = fixture.folder + "/hubs"
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(failure(fixture) == .cannotOpen(path: fixture.path, reason: "Not a directory"))
        try FileManager.default.removeItem(atPath: file)
        let database = fixture.path + "/" + SliceFile.name(1)
        try FileManager.default.createDirectory(
            atPath: database,
            withIntermediateDirectories: true
        )
        #expect(failure(fixture) == .cannotOpen(path: database, reason: "Is a directory"))
    }

    @Test("damage in a schedule or an idempotency key is found when it is read")
    func damagedSchedules() throws {
        let fixture = StoreFixture()
        var store = try open(fixture)
        _ = store.commit(
            changes: [.putSchedule(Sample.schedule(1, key: 1))],
            records: [Sample.record(1, key: 2)]
        )
        fixture.close()
        let log = fixture.path + "/" + SliceFile.name(1)
        try edit(log, "UPDATE idempotency SET fingerprint = scope")
        let registrations = fixture.path + "/" + RegistrationFile.name
        try edit(registrations, "UPDATE schedule SET due = due + 1")
        try edit(registrations, "UPDATE schedule_key SET fingerprint = scope")
        store = try open(fixture)
        #expect(throws: StoreError.corrupted("\(registrations): scheduled notification")) {
            try store.forEachSchedule { _, _ in }
        }
        #expect(throws: StoreError.corrupted("\(log): idempotency key 1")) {
            try store.key(Sample.key(2).scope)
        }
        #expect(
            throws: StoreError.corrupted("\(registrations): key of a scheduled notification")
        ) { try store.key(Sample.key(1).scope) }
    }

    @Test("damage in a row is found when it is read, and named")
    func damagedRows() throws {
        let fixture = StoreFixture()
        var store = try open(fixture)
        _ = store.commit(changes: [.put(Sample.registration(1))], records: Sample.records(1...3))
        try store.checkpoint([Sample.cursor(1, 1, 1, 1)])
        try store.revoke(DeviceID(high: 1, low: 1), generation: 1)
        fixture.close()
        let log = fixture.path + "/" + SliceFile.name(1)
        try edit(log, "UPDATE entry SET body = substr(body, 1, length(body) - 1) WHERE seq = 2")
        let registrations = fixture.path + "/" + RegistrationFile.name
        try edit(registrations, "UPDATE registration SET regid = x'31' WHERE rid = 1")
        try edit(registrations, "UPDATE device SET generation = 0")
        store = try open(fixture)
        #expect(throws: StoreError.corrupted("\(log): record 2")) {
            try store.reader.records(after: 0, through: 3, limit: 9, bytesMax: 9_999)
        }
        #expect(throws: StoreError.corrupted("\(log): record 2")) {
            try store.reader.headers(at: [1, 2])
        }
        // A position there still fits.
        #expect(try store.reader.check(at: 2) == Sample.record(2).id.check)
        #expect(try store.reader.check(at: 3) == Sample.record(3).id.check)
        #expect(throws: StoreError.corrupted("\(registrations): registration 1")) {
            try store.forEachRegistration { _ in }
        }
        #expect(throws: StoreError.corrupted("\(registrations): device keys")) {
            try store.forEachRevocation { _, _ in }
        }
        fixture.close()
        let state = fixture.path + "/" + StateFile.name
        try edit(state, "UPDATE cursor_journal SET checksum = checksum + 1")
        store = try open(fixture)
        #expect(throws: StoreError.corrupted("\(state): cursor_journal 1")) {
            try store.forEachCursor { _ in }
        }
    }

    @Test("two live registrations with one id are a fault that verification finds")
    func twins() throws {
        let fixture = StoreFixture()
        let store = try open(fixture)
        // A deleted one may have had the id before.
        let former = Sample.registration(1, id: "7-7-7")
        let both = [Sample.registration(2, id: "7-7-7"), Sample.registration(3)]
        _ = store.commit(changes: [.remove(former)] + both.map(StoredChange.put), records: [])
        fixture.close()
        #expect(try StoreVerification.of(fixture.path) { _ in }.faults == [])
        let path = fixture.path + "/" + RegistrationFile.name
        try edit(
            path,
            "UPDATE registration SET regid = (SELECT regid FROM registration WHERE rid = 2)"
                + " WHERE rid = 3"
        )
        let faults = try StoreVerification.of(fixture.path) { _ in }.faults
        #expect(faults.contains("\(path): 1 live registrations have another's id"), "\(faults)")
    }

    @Test("a damaged record at the head keeps no store from opening, nor numbers from going on")
    func damagedHead() throws {
        let fixture = StoreFixture()
        var store = try open(fixture)
        _ = store.commit(changes: [], records: Sample.records(1...3))
        fixture.close()
        let log = fixture.path + "/" + SliceFile.name(1)
        try edit(log, "UPDATE entry SET body = substr(body, 1, length(body) - 1) WHERE seq = 3")
        store = try open(fixture)
        #expect(store.events == [])
        #expect(store.bounds.head == 3)
        #expect(store.commit(changes: [], records: [Sample.record(4)]).records == nil)
        #expect(try store.reader.records(at: [4], bytesMax: 9_999).map(\.sequence) == [4])
    }

    @Test(
        "an epoch that means none is refused as damaged",
        arguments: [("epoch", "epoch 0 from 1"), ("first", "epoch 7 from 0")]
    )
    func damagedEpoch(column: String, place: String) throws {
        let fixture = StoreFixture()
        _ = try fixture.reopen()
        fixture.close()
        let log = fixture.path + "/" + SliceFile.name(1)
        try edit(log, "UPDATE epoch SET \(column) = 0")
        #expect(failure(fixture) == .corrupted("\(log): \(place)"))
    }

    @Test(
        "whichever write of a commit fails, nothing of its part is stored",
        arguments: [
            ("registration", "NEW.rid = 2"), ("registration", "NEW.rid = 3"),
            ("registration", "NEW.rid = 4"), ("registration", "NEW.deleted > 0"),
            ("installation", "1"), ("meta", "1"), ("entry", "NEW.seq = 2"),
            ("entry", "NEW.seq = 4"),
            ("entry", "NEW.seq = 6"),
        ]
    )
    func failingWrites(table: String, condition: String) throws {
        let fixture = StoreFixture()
        let store = try open(fixture)
        let first = Sample.registration(1)
        _ = store.commit(changes: [.put(first)], records: Sample.records(1...1))
        let before = try Contents(of: store)
        let isLog = table == "entry"
        let file = fixture.path + "/" + (isLog ? SliceFile.name(1) : RegistrationFile.name)
        try edit(
            file,
            """
            CREATE TRIGGER fault BEFORE INSERT ON \(table) WHEN \(condition)
            BEGIN SELECT RAISE(ABORT, 'fault'); END
            """
        )
        let changes: [StoredChange] =
            [2, 3, 4].map { .put(Sample.registration($0)) }
            + [.remove(first), .putInstallation(Sample.installation(1))]
        let refused = store.commit(
            changes: isLog ? [] : changes,
            records: isLog ? Sample.records(2...6) : []
        )
        let error = StoreError.unavailable(reason: "\(file): fault")
        #expect(refused.changes == (isLog ? nil : error))
        #expect(refused.records == (isLog ? error : nil))
        #expect(try Contents(of: store) == before)
        try edit(file, "DROP TRIGGER fault")
        #expect(try Contents(of: try open(fixture)) == before)
        let repeated = try open(fixture).commit(changes: changes, records: Sample.records(2...6))
        #expect(repeated.changes == nil && repeated.records == nil)
    }

    @Test("a full file refuses with its own error and takes more once there is room")
    func full() throws {
        let fixture = StoreFixture()
        let store = try open(fixture)
        let before = try Contents(of: store)
        func limit(_ file: SQLiteFile, _ pages: Int) throws {
            _ = try file.accessing { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages)") }
        }
        let log = try #require(store.copy.log.present).file
        try limit(log, 6)
        try limit(store.copy.registrations.file, 9)
        let records = [Sample.record(1, bytes: 60_000), Sample.record(2, bytes: 60_000)]
        let changes = (1...200).map { StoredChange.put(Sample.registration($0)) }
        let refused = store.commit(changes: changes, records: records)
        #expect(refused.changes == .full)
        #expect(refused.records == .full)
        #expect(try Contents(of: store) == before)
        try limit(log, 1_000_000)
        try limit(store.copy.registrations.file, 1_000_000)
        let taken = store.commit(changes: changes, records: records)
        #expect(taken.changes == nil && taken.records == nil)
    }

    @Test(
        "a refused checkpoint leaves cursors, counters and number as they were",
        arguments: ["cursor_journal", "counter", "meta"]
    )
    func refusedCheckpoint(table: String) throws {
        let fixture = StoreFixture()
        let store = try open(fixture)
        _ = store.commit(changes: [], records: Sample.records(1...1))
        try store.checkpoint([Sample.cursor(1, 1, 1, 1)])
        let before = try Contents(of: store)
        let file = fixture.path + "/" + StateFile.name
        try edit(
            file,
            """
            CREATE TRIGGER fault BEFORE INSERT ON \(table)
            BEGIN SELECT RAISE(ABORT, 'fault'); END
            """
        )
        let batch = CheckpointBatch(
            number: 2,
            cursors: [Sample.cursor(1, 9, 9, 9)],
            counters: [Sample.delta(1, .apple, .sent, 1)]
        )
        #expect(throws: StoreError.unavailable(reason: "\(file): fault")) {
            try store.checkpoint(batch)
        }
        #expect(try Contents(of: store) == before)
        try edit(file, "DROP TRIGGER fault")
        try store.checkpoint(batch)
        #expect(try Contents(of: store).counters == batch.counters)
    }
}
