import CSyncFault
import Foundation
import GRDB
import HubModel
import HubTestSupport
@testable import HubStore
import HubVocabulary
import Testing

/// Runs SQL on a file of a store that is closed, as another program would.
func edit(_ file: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: file)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
}

@Suite("Slices of the log")
struct SliceTests {
    private func open(_ fixture: StoreFixture) throws -> SQLiteStore {
        try #require(try fixture.reopen() as? SQLiteStore)
    }

    private func fill(_ store: any HubStorage, _ range: ClosedRange<UInt64>) {
        for number in range {
            let result = store.commit(changes: [], records: [Sample.record(number)])
            #expect(result.records == nil)
        }
    }

    private func expectWhole(
        _ fixture: StoreFixture,
        _ range: ClosedRange<UInt64>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try open(fixture)
        #expect(store.events == [], sourceLocation: sourceLocation)
        #expect(try store.held() == Array(range), sourceLocation: sourceLocation)
        #expect(store.bounds.head == range.upperBound, sourceLocation: sourceLocation)
        #expect(store.bounds.first == range.lowerBound, sourceLocation: sourceLocation)
        for number in range {
            let check = try store.reader.check(at: number)
            #expect(check == Sample.record(number).id.check, sourceLocation: sourceLocation)
        }
        let next = Sample.record(range.upperBound + 1)
        #expect(store.commit(changes: [], records: [next]).records == nil)
    }

    @Test("end at their limits of records, age and bytes, and not before")
    func limits() throws {
        func files(_ limits: StoreLimits, _ records: [NotificationRecord]) throws -> Int {
            let fixture = StoreFixture()
            fixture.limits = limits
            let store = try fixture.reopen()
            for record in records {
                #expect(store.commit(changes: [], records: [record]).records == nil)
            }
            return try fixture.slices().count
        }
        var limits = StoreLimits()
        limits.sliceRecordsMax = 4
        let quick = (1...9).map { Sample.record($0, at: 5, living: 9) }
        #expect(try files(limits, Array(quick[..<4])) == 1)
        #expect(try files(limits, Array(quick[..<5])) == 2)
        #expect(try files(limits, quick) == 3)
        limits = StoreLimits()
        limits.sliceSecondsMin = 100
        limits.sliceSecondsMax = 200
        limits.sliceBytesMin = 100_000
        func two(apart seconds: UInt64) -> [NotificationRecord] {
            [Sample.record(1, at: 5, living: 9), Sample.record(2, at: 5 + seconds, living: 9)]
        }
        #expect(try files(limits, two(apart: 199)) == 1)
        #expect(try files(limits, two(apart: 200)) == 2)
        limits.sliceBytesMin = 50
        #expect(try files(limits, two(apart: 99)) == 1)
        #expect(try files(limits, two(apart: 100)) == 2)
    }

    @Test("have names that count up, and other files are none")
    func names() {
        #expect(SliceFile.name(1) == "log-000001.sqlite")
        #expect(SliceFile.name(1_234_567) == "log-1234567.sqlite")
        for number in [1, 9, 999_999, 1_000_000] {
            #expect(SliceFile.number(of: SliceFile.name(number)) == number)
        }
        for name in ["log-1.sqlite", "log-000000.sqlite", "log-00000a.sqlite", "state.sqlite", ""] {
            #expect(SliceFile.number(of: name) == nil)
        }
    }

    @Test("are one file each when they are sealed, and only so many are open")
    func sealed() throws {
        let fixture = StoreFixture(.sliced)
        let store = try open(fixture)
        fill(store, 1...30)
        _ = try store.tidyAll(.at(0))
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path)
        #expect(names.filter { $0.hasPrefix("log-") && $0.hasSuffix("-wal") }.count == 1)
        #expect(try store.held() == Array(1...30))
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let open = links.compactMap { name in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
        }.filter { $0.hasPrefix(fixture.path + "/log-") }
        let sealed = Set(open.filter { $0.hasSuffix(".sqlite") })
        #expect(sealed.count <= fixture.limits.openSlicesMax + 1, "\(sealed.sorted())")
    }

    @Test("whose making was cut off before its first word is made again")
    func emptyFile() throws {
        let fixture = StoreFixture(.sliced)
        fill(try open(fixture), 1...3)
        fixture.close()
        let next = fixture.path + "/" + SliceFile.name(2)
        #expect(FileManager.default.createFile(atPath: next, contents: nil))
        try expectWhole(fixture, 1...3)
        #expect(try fixture.slices().count == 2)
    }

    @Test("whose removal was cut off when only their journal had gone are removed")
    func halfRemoved() throws {
        let fixture = StoreFixture(.sliced)
        var store = try open(fixture)
        for number in 1...9 as ClosedRange<UInt64> {
            let record = Sample.record(number, at: 1, living: number <= 3 ? 1 : 9_000)
            #expect(store.commit(changes: [], records: [record]).records == nil)
        }
        #expect(try store.tidyAll(.at(5_000)) == [1...3])
        fixture.close()
        // What is left of a slice whose content was in its journal alone.
        let first = fixture.path + "/" + SliceFile.name(1)
        #expect(FileManager.default.createFile(atPath: first, contents: nil))
        store = try open(fixture)
        #expect(store.bounds.first == 4 && store.bounds.head == 9)
        #expect(!FileManager.default.fileExists(atPath: first))
        fixture.close()
        // In the middle of the log it is damage.
        let middle = fixture.path + "/" + SliceFile.name(2)
        try Data().write(to: URL(fileURLWithPath: middle))
        #expect(throws: StoreError.corrupted("\(middle): empty")) { try fixture.reopen() }
    }

    @Test("that were made but never written to are gone on with")
    func unused() throws {
        let fixture = StoreFixture(.sliced)
        var store = try open(fixture)
        fill(store, 1...4)
        fixture.close()
        try edit(fixture.path + "/" + SliceFile.name(2), "DELETE FROM entry; DELETE FROM batch")
        store = try open(fixture)
        #expect(store.bounds.head == 3)
        fill(store, 4...5)
        try expectWhole(fixture, 1...5)
        #expect(try fixture.slices().count == 2)
    }

    @Test("whose making failed but reached the disk are not taken for the newest")
    func failedMaking() throws {
        let fixture = StoreFixture(.sliced)
        fixture.limits.sliceRecordsMax = 2
        fill(try open(fixture), 1...3)
        fixture.close()
        // A second slice without records, beginning at 3.
        let second = fixture.path + "/" + SliceFile.name(2)
        try edit(second, "DELETE FROM entry; DELETE FROM batch")
        let other = StoreFixture(.sliced)
        other.limits.sliceRecordsMax = 9
        fill(try open(other), 1...5)
        other.close()
        try FileManager.default.copyItem(
            atPath: second,
            toPath: other.path + "/" + SliceFile.name(2)
        )
        try expectWhole(other, 1...5)
        #expect(try other.slices() == [SliceFile.name(1)])
    }

    @Test("that can't be made leave the present one in use")
    func refusedCut() throws {
        let fixture = StoreFixture(.sliced)
        let store = try open(fixture)
        fill(store, 1...3)
        // The first call is the new file's own.
        sync_fault_arm(1)
        let result = store.commit(changes: [], records: [Sample.record(4)])
        sync_fault_arm(0)
        #expect(result.records == nil)
        #expect(try fixture.slices() == [SliceFile.name(1)])
        fill(store, 5...5)
        #expect(try fixture.slices().count == 2)
        try expectWhole(fixture, 1...5)
    }

    @Test("are the same whichever step of sealing a crash cuts off", arguments: 0...6)
    func sealingSteps(steps: Int) throws {
        let fixture = StoreFixture()
        fixture.limits = StoreFixture(.sliced).limits
        fixture.limits.sliceRecordsMax = 8
        fixture.limits.hotEntriesMax = 0
        let store = try open(fixture)
        for number in 1...9 as ClosedRange<UInt64> {
            _ = store.commit(changes: [], records: [Sample.record(number, key: number)])
        }
        for _ in 0..<steps { _ = try store.tidy(now: .at(0), keptSeconds: 0) }
        let copy = try fixture.copyAsKilled()
        let opened = try open(copy)
        #expect(try opened.held() == Array(1...9))
        _ = try opened.tidyAll(.at(0))
        let lists = try opened.reader.candidates(
            anchors: [.everyone],
            after: 0,
            through: 9,
            limit: 100
        )
        #expect(lists.sequences == Array(1...9))
        for number in 1...9 as ClosedRange<UInt64> {
            #expect(try opened.key(Sample.key(number).scope)?.time.milliseconds == number)
        }
        copy.close()
        let file = try FileReader(readOnly: copy.path + "/" + SliceFile.name(1))
        let isSealed = try file.reading { try SliceRow.read($0, path: "")?.end != nil }
        #expect(isSealed)
    }

    @Test("that were trimmed but not yet removed go at the next start")
    func trimmedFile() throws {
        let fixture = StoreFixture(.sliced)
        fixture.limits.rowsPerStep = 100
        var store = try open(fixture)
        for number in 1...8 as ClosedRange<UInt64> {
            _ = store.commit(changes: [], records: [Sample.record(number, at: number, living: 1)])
        }
        let oldest = fixture.path + "/" + SliceFile.name(1)
        while try store.tidy(now: .at(0), keptSeconds: 0).hasMore {}
        let kept = try Data(contentsOf: URL(fileURLWithPath: oldest))
        let removed = try store.tidy(now: .at(6_000), keptSeconds: 0).removed
        #expect(removed == 1...3)
        fixture.close()
        #expect(!FileManager.default.fileExists(atPath: oldest))
        try kept.write(to: URL(fileURLWithPath: oldest))
        store = try open(fixture)
        #expect(!FileManager.default.fileExists(atPath: oldest))
        #expect(try store.held() == Array(4...8))
        #expect(store.bounds.first == 4)
        #expect(try store.reader.check(at: 3) == Sample.record(3, at: 3, living: 1).id.check)
        // The other order: the file is gone, and nothing says so.
        fixture.close()
        try FileManager.default.removeItem(atPath: fixture.path + "/" + SliceFile.name(2))
        store = try open(fixture)
        #expect(store.bounds.first == 7)
        #expect(try store.reader.check(at: 6) == Sample.record(6, at: 6, living: 1).id.check)
    }

    @Test("of which one in the middle is missing are refused by name")
    func missing() throws {
        let fixture = StoreFixture(.sliced)
        fill(try open(fixture), 1...8)
        fixture.close()
        let second = fixture.path + "/" + SliceFile.name(2)
        try FileManager.default.removeItem(atPath: second)
        #expect(throws: StoreError.corrupted("\(second): missing")) { try fixture.reopen() }
    }

    @Test("may be trimmed under a reader that is in the middle of them")
    func trimmedUnderReader() throws {
        let fixture = StoreFixture(.sliced)
        let store = try open(fixture)
        for number in 1...12 as ClosedRange<UInt64> {
            _ = store.commit(changes: [], records: [Sample.record(number, at: number, living: 1)])
        }
        _ = try store.tidyAll(.at(0))
        let reader = store.reader
        let page = try reader.records(after: 0, through: 12, limit: 2, bytesMax: .max)
        #expect(page.map(\.sequence) == [1, 2])
        _ = try store.tidyAll(.at(9_000))
        #expect(store.bounds.first == 7)
        let rest = try reader.records(after: 2, through: 12, limit: 99, bytesMax: .max)
        #expect(rest.map(\.sequence) == Array(7...12))
        #expect(try reader.records(at: [1, 2, 8], bytesMax: .max).map(\.sequence) == [8])
        #expect(try reader.check(at: 2) == nil)
        let lists = try reader.candidates(anchors: [.everyone], after: 0, through: 12, limit: 99)
        #expect(lists.sequences == Array(7...12))
    }

    @Test("can be read by other threads while they are written, sealed and trimmed")
    func concurrent() throws {
        let fixture = StoreFixture(.sliced)
        let store = try open(fixture)
        let reader = store.reader
        let readers = (0..<2).map { _ in
            ThreadWork { () throws -> [String] in
                var problems: [String] = []
                var position: UInt64 = 0
                while position < 300 {
                    let found = try reader.records(
                        after: position,
                        through: .max,
                        limit: 50,
                        bytesMax: .max
                    ).map(\.sequence)
                    let lists = try reader.candidates(
                        anchors: [.everyone],
                        after: position,
                        through: 300,
                        limit: 50
                    )
                    let isDense = zip(found, found.dropFirst()).allSatisfy { $0 + 1 == $1 }
                    if !isDense { problems.append("holes in \(found)") }
                    if found.contains(where: { $0 <= position }) { problems.append("again") }
                    if lists.sequences.contains(where: { $0 <= position || $0 > lists.through }) {
                        problems.append("lists \(lists) after \(position)")
                    }
                    position = found.last ?? position
                }
                return problems
            }
        }
        for group in 0..<UInt64(100) {
            let records = (1...3).map {
                Sample.record(group * 3 + $0, at: group, living: 1)
            }
            #expect(store.commit(changes: [], records: records).records == nil)
            _ = try store.tidy(now: .at(group * 500), keptSeconds: 0)
            _ = try store.tidy(now: .at(group * 500), keptSeconds: 0)
        }
        for reader in readers { #expect(try reader.value() == []) }
    }

    /// Overwrites the first page of a table, which no checksum of a row can mend.
    private func damage(_ file: String, table: String) throws {
        let queue = try DatabaseQueue(path: file)
        let (page, bytes) = try queue.inDatabase { database in
            (
                try Int.fetchOne(
                    database,
                    sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?",
                    arguments: [table]
                ),
                try Int.fetchOne(database, sql: "PRAGMA page_size")
            )
        }
        try queue.close()
        let (number, size) = (try #require(page), try #require(bytes))
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        try handle.seek(toOffset: UInt64((number - 1) * size))
        try handle.write(contentsOf: Data(count: size))
        try handle.close()
    }

    @Test(
        "whose lists are damaged give what they hold all the same, and say so once",
        arguments: [["anchor"], ["anchor", "batch"], ["anchor", "a group"], ["batch"]]
    )
    func damagedLists(tables: [String]) throws {
        let fixture = StoreFixture(.sliced)
        let mine = AnchorKey(device: DeviceID(high: 3, low: 4))
        let other = AnchorKey(device: DeviceID(high: 5, low: 6))
        var store = try open(fixture)
        for number in 1...9 as ClosedRange<UInt64> {
            let anchor = number % 2 == 0 ? mine : other
            let record = Sample.record(number, at: number, living: 9_000, anchors: [anchor])
            #expect(store.commit(changes: [], records: [record]).records == nil)
        }
        _ = try store.tidyAll(.at(0))
        fixture.close()
        let file = fixture.path + "/" + SliceFile.name(1)
        for table in tables where table != "a group" { try damage(file, table: table) }
        if tables.contains("a group") { try edit(file, "DELETE FROM batch WHERE first = 2") }
        // Where groups are damaged, lists that would be held in memory come from the table.
        fixture.limits.hotEntriesMax = tables == ["batch"] ? 1_000 : 0
        fixture.limits.hotSeconds = 1_000_000
        store = try open(fixture)
        // Without lists, each record of the first slice may be meant.
        let expected: [UInt64] = tables.count == 2 ? [1, 2, 3, 4, 6, 8] : [2, 4, 6, 8]
        for limit in [100, 2] {
            var found: [UInt64] = []
            var place: UInt64 = 0
            while place < 9 {
                let page = try store.reader.candidates(
                    anchors: [mine],
                    after: place,
                    through: 9,
                    limit: limit
                )
                try #require(page.through > place)
                found += page.sequences
                place = page.through
            }
            #expect(found == expected, "\(tables), \(limit) at once")
        }
        // Opening has told it already to the housekeeping that follows in a fixture of this kind.
        let told = tables == ["batch"] ? [] : [1]
        #expect(try store.tidy(now: .at(0), keptSeconds: .max >> 20).damagedLists == told)
        #expect(try store.tidy(now: .at(0), keptSeconds: .max >> 20).damagedLists == [])
    }
}
