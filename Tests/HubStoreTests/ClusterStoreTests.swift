import Foundation
import GRDB
import HubCluster
@testable import HubMemory
import HubModel
@testable import HubStore
import HubTestSupport
import HubVocabulary
import Synchronization
import Testing

/// A database, and a folder in which copies of it lie.
final class ClusterFixture {
    let database = MemoryDatabase()
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("belfry-copy-\(UUID().uuidString)").path
    private var copies = 0

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A leader's store; another folder for each name.
    func open(_ name: String = "a", epoch: UInt64 = 7) throws -> ClusterStore {
        var limits = StoreLimits()
        limits.clockDoubtMilliseconds = 0
        limits.sliceRecordsMax = 9
        return try ClusterStore(
            groups: database.lead(),
            folder: path(name),
            epochSeed: epoch,
            limits: limits
        )
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Copies the files as a process finds them that starts after this one was killed.
    func copy(_ name: String, to other: String, where isWanted: (String) -> Bool = { _ in true })
        throws
    {
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: path(other),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for file in try manager.contentsOfDirectory(atPath: path(other)) where isWanted(file) {
            try manager.removeItem(atPath: path(other) + "/" + file)
        }
        for file in try manager.contentsOfDirectory(atPath: path(name))
        where !file.hasSuffix("-shm") && isWanted(file) {
            try manager.copyItem(
                atPath: path(name) + "/" + file,
                toPath: path(other) + "/" + file
            )
        }
    }
}

extension ClusterStore {
    fileprivate func commit(_ number: UInt32, records count: UInt64 = 2) -> CommitResult {
        let head = bounds.head
        return commit(
            changes: [.put(Sample.registration(number))],
            records: count == 0 ? [] : Sample.records(head + 1...head + count)
        )
    }
}

@Suite("A store in a database")
struct ClusterStoreTests {
    @Test(
        "a copy that followed, whatever it lost, is the store that committed",
        arguments: 0..<12 as Range<UInt64>
    )
    func follows(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = ClusterFixture()
        var script = StoreScript(seed: seed)
        var store = try fixture.open()
        for step in 0..<50 {
            let action = script.next(head: store.bounds.head)
            // Keys of what is forgotten may come back with a new copy.
            if case .forgetKeys = action { continue }
            try action.perform(on: store)
            guard step % 10 == 7 else { continue }
            switch random.below(4) {
            case 0: try fixture.copy("a", to: "old")
            // Registrations or the log alone go back to an earlier state.
            case 1: try fixture.copy("a", to: "old") { $0.hasPrefix("registrations") }
            case 2: try fixture.copy("a", to: "old") { $0.hasPrefix("log-") }
            default:
                store.close()
                store = try fixture.open()
            }
        }
        let expected = try Contents(of: store)
        store.close()
        let names = ["a", "old", "empty"]
        for name in names {
            let copy = try fixture.open(name)
            #expect(try Contents(of: copy) == expected, "seed \(seed), \(name)")
            copy.close()
            let sound = try StoreVerification.of(fixture.path(name)) { _ in }
            #expect(sound.faults == [], "seed \(seed), \(name)")
        }
    }

    @Test("a commit that the database refuses leaves nothing, and its numbers go to the next")
    func refused() throws {
        let fixture = ClusterFixture()
        let store = try fixture.open()
        let before = try Contents(of: store)
        fixture.database.expect([.refused(.unavailable(reason: "away"))])
        let result = store.commit(1)
        #expect(result.changes == .unavailable(reason: "away"))
        #expect(result.records == .unavailable(reason: "away"))
        #expect(try Contents(of: store) == before)
        fixture.database.expect([.refused(.full)])
        let changesOnly = store.commit(1, records: 0)
        #expect(changesOnly.changes == .full && changesOnly.records == nil)
        fixture.database.expect([.lost, .answerLost])
        let stored = store.commit(1)
        #expect(stored.changes == nil && stored.records == nil && store.bounds.head == 2)
        #expect(try Contents(of: fixture.open("b")) == Contents(of: store))
    }

    @Test("a store whose lead is over takes nothing, and opened again it has what the next did")
    func fenced() throws {
        let fixture = ClusterFixture()
        let store = try fixture.open("a")
        #expect(store.commit(1).records == nil)
        let next = try fixture.open("b")
        #expect(next.commit(2).records == nil)
        let late = store.commit(3)
        #expect(late.changes == .fenced && late.records == .fenced)
        #expect(throws: StoreError.fenced) { try store.probe() }
        #expect(throws: StoreError.fenced) { try store.checkpoint([Sample.cursor(1, 1, 1, 1)]) }
        store.close()
        let expected = try Contents(of: next)
        #expect(expected.bounds.head == 4 && expected.registrations.count == 2)
        #expect(try Contents(of: fixture.open("a")) == expected)
    }

    @Test("a group that the copy cannot take is durable; until it can, nothing is read or taken")
    func fullCopy() throws {
        let fixture = ClusterFixture()
        let store = try fixture.open()
        #expect(store.commit(1).records == nil)
        let files = try store.current()
        let log = try #require(files.log.present).file
        func limit(_ pages: Int) throws {
            _ = try log.accessing { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages)") }
        }
        try limit(8)
        let head = store.bounds.head
        let records = [Sample.record(head + 1, bytes: 90_000), Sample.record(head + 2)]
        // A departure is never written twice.
        let changes: [StoredChange] = [
            .put(Sample.registration(2)), .putDeparture(Sample.departure(1)),
        ]
        let stored = store.commit(changes: changes, records: records)
        #expect(stored.changes == nil && stored.records == nil)
        #expect(store.bounds.head == head + 2)
        let number = RegistrationNumber(2)
        #expect(throws: StoreError.full) { try store.registrations([number]) }
        #expect(throws: StoreError.full) { try store.reader.check(at: 1) }
        #expect(throws: StoreError.full) { try store.probe() }
        #expect(store.commit(3).records == .full)
        #expect(store.copyWrites.error == .full && store.copyWrites.lasting != nil)
        try limit(1_000_000)
        try store.probe()
        #expect(store.copyWrites.error == nil && store.copyWrites.lasting == nil)
        #expect(try store.registrations([number]).count == 1)
        #expect(try store.reader.check(at: head + 1) == records[0].id.check)
        #expect(store.commit(3).records == nil)
        #expect(try Contents(of: fixture.open("b")) == Contents(of: store))
    }

    @Test("a damaged copy, and one of another hub, are filled anew")
    func thrownAway() throws {
        let fixture = ClusterFixture()
        var store = try fixture.open()
        for number in 1...20 as ClosedRange<UInt32> { #expect(store.commit(number).records == nil) }
        let expected = try Contents(of: store)
        store.close()
        for file in ["registrations.sqlite", "log-000001.sqlite"] {
            let path = fixture.path("a/" + file)
            // What SQLite has not moved out of its journal would undo the damage.
            for suffix in ["-wal", "-shm"]
            where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.removeItem(atPath: path + suffix)
            }
            let handle = try #require(FileHandle(forUpdatingAtPath: path))
            try handle.write(contentsOf: Data(repeating: 7, count: 5_000))
            try handle.close()
            store = try fixture.open()
            #expect(try Contents(of: store) == expected, "\(file)")
            #expect(store.events == [.copyFilled(.damaged)], "\(file)")
            store.close()
        }
        try FileManager.default.removeItem(atPath: fixture.path("a/registrations.sqlite"))
        store = try fixture.open()
        #expect(try Contents(of: store) == expected)
        #expect(store.events == [.copyFilled(.missing)])
        store.close()
        let other = ClusterFixture()
        let stranger = try other.open("a", epoch: 9)
        for number in 1...3 as ClosedRange<UInt32> { _ = stranger.commit(number, records: 1) }
        stranger.close()
        try FileManager.default.removeItem(atPath: fixture.path("a"))
        try FileManager.default.moveItem(atPath: other.path("a"), toPath: fixture.path("a"))
        store = try fixture.open()
        #expect(try Contents(of: store) == expected)
        #expect(store.events == [.copyFilled(.otherPast)])
    }

    @Test(
        "parts of a group that are sound, and of two places, are refused by a name",
        arguments: [2, 4]
    )
    func partsOfTwoPlaces(first: UInt64) throws {
        let fixture = ClusterFixture()
        let store = try fixture.open()
        for number in 1...2 as ClosedRange<UInt32> { #expect(store.commit(number).records == nil) }
        let check = try store.reader.check(at: 2) ?? 0
        store.close()
        let other = EncodedRecords(Sample.records(first...first + 1), checkBelow: check)
        let records = try #require(other)
        fixture.database.contents.withLock { $0.records[1].part = records }
        let refusal = #expect(throws: StoreError.self) { try fixture.open("b") }
        guard case .corrupted = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    @Test("a copy of a lost past is filled anew, also where it ends within a later group")
    func lostPast() throws {
        let fixture = ClusterFixture()
        var store = try fixture.open()
        _ = store.commit(1)
        let earlier = fixture.database.copy()
        _ = store.commit(2, records: 1)
        store.close()
        fixture.database.setBack(to: earlier)
        // This copy has not seen what was lost.
        store = try fixture.open("b")
        #expect(store.events == [.copyFilled(.missing)])
        for number in [3, 4] as [UInt32] { _ = store.commit(number) }
        let expected = try Contents(of: store)
        store.close()
        let again = try fixture.open()
        #expect(try Contents(of: again) == expected)
        #expect(again.bounds == store.bounds)
        #expect(again.events == [.copyFilled(.otherPast)])
    }

    @Test("a copy with lost changes is known where others have their numbers, without any record")
    func lostChanges() throws {
        let fixture = ClusterFixture()
        var store = try fixture.open()
        _ = store.commit(1, records: 0)
        let earlier = fixture.database.copy()
        for number in [2, 3] as [UInt32] { _ = store.commit(number, records: 0) }
        store.close()
        // Filled of items alone, as a new node is.
        let filled = fixture.database.lead()
        var extent = TrimExtent()
        extent.changesBelow = 3
        while try filled.trim(extent) {}
        try fixture.open("filled").close()
        fixture.database.setBack(to: earlier)
        // The node that leads then has seen nothing of it.
        store = try fixture.open("b")
        #expect(!store.events.contains(.newEpoch(.logIsOlder)))
        for number in [4, 5, 6] as [UInt32] { _ = store.commit(number, records: 0) }
        let expected = try Contents(of: store)
        store.close()
        for name in ["a", "filled"] {
            let again = try fixture.open(name)
            #expect(try Contents(of: again) == expected, "\(name)")
            #expect(again.bounds == store.bounds)
            again.close()
        }
    }

    @Test("a database that was set back gets an epoch above everything that the copy has seen")
    func setBack() throws {
        let fixture = ClusterFixture()
        var store = try fixture.open()
        #expect(store.events == [.created])
        _ = store.commit(1)
        let earlier = fixture.database.copy()
        _ = store.commit(2)
        store.close()
        fixture.database.setBack(to: earlier)
        store = try fixture.open(epoch: 8)
        #expect(store.events == [.newEpoch(.logIsOlder)])
        #expect(store.bounds.epochs.map(\.epoch) == [7, 8])
        let first = try #require(store.bounds.epochs.last?.sequence)
        #expect(first == 4 + ClusterStore.numbersLeftOut + 1 && store.bounds.head == first - 1)
        func numbers(_ store: ClusterStore) throws -> [UInt32] {
            var numbers: [UInt32] = []
            try store.forEachRegistration { numbers.append($0.number.raw) }
            return numbers
        }
        #expect(try numbers(store) == [1])
        #expect(try store.reader.check(at: 3) == nil)
        #expect(store.commit(3).records == nil)
        // A copy that has seen what was lost does not keep it.
        #expect(try store.held() == [1, 2, first, first + 1])
        store.close()
        for name in ["a", "b"] {
            let again = try fixture.open(name, epoch: 9)
            #expect(again.events == (name == "a" ? [] : [.copyFilled(.missing)]), "\(name)")
            #expect(again.bounds == store.bounds, "\(name)")
            #expect(try again.held() == [1, 2, first, first + 1], "\(name)")
            #expect(try numbers(again) == [1, 3], "\(name)")
        }
    }

    @Test("changes that were trimmed come from items, and a log that was trimmed begins later")
    func trimmed() throws {
        let fixture = ClusterFixture()
        var store = try fixture.open()
        for number in 1...3 as ClosedRange<UInt32> { _ = store.commit(number) }
        try fixture.copy("a", to: "behind")
        let gone = Sample.registration(1)
        _ = store.commit(changes: [.remove(gone)], records: [])
        for number in 4...9 as ClosedRange<UInt32> { _ = store.commit(number) }
        let expected = try Contents(of: store)
        store.close()
        let log = fixture.database.lead()
        var extent = TrimExtent()
        extent.changesBelow = 9
        while try log.trim(extent) {}
        // The log goes on where it was, the registrations are filled.
        store = try fixture.open("behind")
        #expect(try Contents(of: store) == expected)
        store.close()
        let later = fixture.database.lead()
        extent.first = 7
        while try later.trim(extent) {}
        for name in ["new", "a"] {
            store = try fixture.open(name)
            #expect(store.bounds.first == 7 && store.bounds.head == 18, "\(name)")
            let read = try store.reader.records(after: 6, through: .max, limit: 99, bytesMax: .max)
            #expect(read.map(\.sequence) == Array(7...18), "\(name)")
            #expect(try store.reader.check(at: 6) == Sample.record(6).id.check, "\(name)")
            store.close()
        }
    }

    @Test("changes are kept for an hour, then the database may forget them")
    func changesKept() throws {
        let fixture = ClusterFixture()
        let store = try fixture.open()
        _ = store.commit(1)
        _ = try store.tidy(now: .at(1_000), keptSeconds: 1_000_000)
        _ = store.commit(2)
        func first() throws -> UInt64? { try fixture.database.reading.place()?.changesFirst }
        _ = try store.tidy(now: .at(3_600_999), keptSeconds: 1_000_000)
        #expect(try first() == 1)
        _ = try store.tidy(now: .at(3_601_000), keptSeconds: 1_000_000)
        #expect(try first() == 2)
    }

    @Test("records, tombstones, keys and departures leave the database with the copy's")
    func tidied() throws {
        let fixture = ClusterFixture()
        let store = try fixture.open()
        for number in 1...12 as ClosedRange<UInt64> {
            _ = store.commit(
                changes: [
                    .remove(Sample.registration(UInt32(number))),
                    .putSchedule(Sample.schedule(number, key: number)),
                    .putDeparture(Sample.departure(number, time: number)),
                ],
                records: [Sample.record(number, at: number, living: 1)]
            )
        }
        while try store.forgetKeys(before: Timestamp(milliseconds: 5)) {}
        _ = try store.tidyAll(.at(9_000_000_000))
        var kinds: [ItemKind: Int] = [:]
        let place = try fixture.database.reading.items { kinds[$0.key.kind, default: 0] += 1 }
        #expect(place.first == store.bounds.first && place.first > 9)
        #expect(kinds[.registration, default: 0] <= 3)
        #expect(kinds[.departure] == nil && kinds[.scheduleKey] == 8 && kinds[.schedule] == 12)
        #expect(try Contents(of: fixture.open("b")) == Contents(of: store))
    }

    @Test("a copy is not synced with each commit, and is never taken for the truth")
    func notTheTruth() throws {
        let fixture = ClusterFixture()
        let store = try fixture.open()
        _ = store.commit(1)
        let files = try store.current()
        let log = try #require(files.log.present).file
        for file in [files.registrations.file, log] {
            let level = try file.accessing { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
            #expect(level == 1)
        }
        store.close()
        let path = fixture.path("a") + "/registrations.sqlite"
        let reason = "is a copy of what a database holds"
        #expect(throws: StoreError.cannotOpen(path: path, reason: reason)) {
            try SQLiteStore(folder: fixture.path("a"), epochSeed: 7)
        }
    }

    @Test("files of a hub on one machine become the first copy")
    func becomesACopy() throws {
        let fixture = ClusterFixture()
        let sqlite = try SQLiteStore(folder: fixture.path("a"), epochSeed: 7)
        _ = sqlite.commit(changes: [.put(Sample.registration(1))], records: Sample.records(1...3))
        sqlite.close()
        let log = fixture.database.lead()
        try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        try log.append([.put(Sample.registration(1))], Sample.records(1...3))
        let store = try fixture.open()
        #expect(store.events == [] && store.bounds.epoch == 7 && store.bounds.head == 3)
        #expect(store.commit(2).records == nil)
        #expect(try Contents(of: fixture.open("b")) == Contents(of: store))
    }
}
