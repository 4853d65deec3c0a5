import Foundation
import GRDB
import HubCluster
@testable import HubMemory
import HubModel
@testable import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite("The copy of a node that waits")
struct StandbyCopyTests {
    @Test(
        "has what the leader stored, in its files and in what it told, whenever it looks",
        arguments: 0..<12 as Range<UInt64>
    )
    func follows(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = ClusterFixture()
        let listener = CopyListener()
        var script = StoreScript(seed: seed)
        let store = try fixture.open()
        var copy = try fixture.standby(listener)
        for _ in 0..<60 {
            let action = script.next(head: store.bounds.head)
            if case .forgetKeys = action { continue }
            try action.perform(on: store)
            switch random.below(6) {
            case 0, 1:
                #expect(try copy.follow(fixture.database.reading) == .level)
                #expect(listener.agrees(with: try Contents(of: store)), "seed \(seed)")
            case 2 where random.below(4) == 0:
                // The node ends, and starts again.
                copy.close()
                copy = try fixture.standby(listener)
                listener.forget()
            default: break
            }
        }
        let expected = try Contents(of: store)
        store.close()
        let next = try fixture.lead(copy)
        #expect(try Contents(of: next) == expected, "seed \(seed)")
        if listener.group != nil { #expect(listener.agrees(with: expected), "seed \(seed)") }
        #expect(listener.faults == [], "seed \(seed)")
        #expect(next.commit(changes: [.put(Sample.registration(999))], records: []).changes == nil)
        #expect(listener.registrations[RegistrationNumber(999)] == nil)
        next.close()
        let sound = try StoreVerification.of(fixture.path("standby")) { _ in }
        #expect(sound.faults == [], "seed \(seed)")
    }

    @Test("is loaded once, and again where changes went that it had not seen")
    func loads() throws {
        let fixture = ClusterFixture()
        let listener = CopyListener()
        let store = try fixture.open()
        let copy = try fixture.standby(listener)
        for number in 1...9 as ClosedRange<UInt32> {
            _ = store.commit(changes: [.put(Sample.registration(number))], records: [])
            if number < 4 { #expect(try copy.follow(fixture.database.reading) == .level) }
        }
        #expect(listener.loads == 1 && listener.registrations.count == 3)
        let expected = try Contents(of: store)
        store.close()
        var extent = TrimExtent()
        extent.changesBelow = 8
        let log = fixture.database.lead()
        while try log.trim(extent) {}
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(listener.loads == 2 && listener.agrees(with: expected))
        #expect(try Contents(of: fixture.lead(copy)) == expected)
    }

    @Test("one of another past is filled anew, and one of another schema too")
    func otherFiles() throws {
        let fixture = ClusterFixture()
        let store = try fixture.open()
        for number in 1...5 as ClosedRange<UInt32> {
            let head = store.bounds.head
            _ = store.commit(
                changes: [.put(Sample.registration(number))],
                records: Sample.records(head + 1...head + 1)
            )
        }
        let expected = try Contents(of: store)
        let stranger = ClusterFixture()
        let other = try stranger.open("b", epoch: 9)
        _ = other.commit(changes: [.put(Sample.registration(7))], records: Sample.records(1...1))
        other.close()
        try FileManager.default.createDirectory(
            atPath: fixture.folder,
            withIntermediateDirectories: true
        )
        try FileManager.default.moveItem(
            atPath: stranger.path("b"),
            toPath: fixture.path("standby")
        )
        let listener = CopyListener()
        var copy = try fixture.standby(listener)
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(listener.agrees(with: expected))
        copy.close()
        let path = fixture.path("standby") + "/" + RegistrationFile.name
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "PRAGMA user_version = \(SQLiteFile.schema + 1)") }
        try queue.close()
        copy = try fixture.standby(listener)
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(listener.loads == 2 && listener.agrees(with: expected))
        store.close()
        #expect(try Contents(of: fixture.lead(copy)) == expected)
    }

    @Test("a database that cannot be read leaves the copy as it is, for the next look")
    func away() throws {
        let fixture = ClusterFixture()
        let listener = CopyListener()
        let store = try fixture.open()
        let copy = try fixture.standby(listener)
        _ = store.commit(changes: [.put(Sample.registration(1))], records: [])
        #expect(try copy.follow(fixture.database.reading) == .level)
        _ = store.commit(changes: [.put(Sample.registration(2))], records: [])
        fixture.database.refuseReads(.unavailable(reason: "away"))
        #expect(throws: StoreError.unavailable(reason: "away")) {
            try copy.follow(fixture.database.reading)
        }
        #expect(copy.group == 1 && listener.registrations.count == 1)
        fixture.database.refuseReads(nil)
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(copy.group == 2 && listener.registrations.count == 2 && listener.loads == 1)
    }

    @Test("slices and tombstones go where the database let them go")
    func trimmed() throws {
        let fixture = ClusterFixture()
        let listener = CopyListener()
        let store = try fixture.open()
        let copy = try fixture.standby(listener)
        _ = store.commit(changes: [.put(Sample.registration(1))], records: [])
        _ = store.commit(changes: [.remove(Sample.registration(1))], records: [])
        for _ in 0..<6 {
            let head = store.bounds.head
            _ = store.commit(changes: [], records: Sample.records(head + 1...head + 5))
        }
        #expect(try copy.follow(fixture.database.reading) == .level)
        let slices = copy.copy.log.numbers.count
        #expect(slices > 2)
        store.close()
        let log = fixture.database.lead()
        var extent = TrimExtent()
        extent.first = 21
        while try log.trim(extent) {}
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(copy.copy.log.numbers.count < slices && copy.copy.bounds.first <= 21)
        let gone = try copy.copy.registrations.deleted(id: Sample.registration(1).id)
        #expect(gone.isEmpty)
        let next = try fixture.lead(copy)
        #expect(next.bounds.first == 21 && next.bounds.head == 30)
    }

    /// A database with so many registrations.
    private static func filled(_ count: UInt32) throws -> ClusterFixture {
        let fixture = ClusterFixture()
        let log = fixture.database.lead()
        try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        let changes = (1...count).map { StoredChange.put(Sample.registration($0)) }
        try log.append(changes, Sample.records(1...9))
        return fixture
    }

    @Test("a node that is told to end leaves the filling of a copy, and the next run fills it")
    func endsFilling() throws {
        let fixture = try Self.filled(9_000)
        let listener = CopyListener()
        let ending = StoreEnding()
        var copy = try fixture.standby(listener, ending: ending)
        let reading = EndingReading(
            reading: fixture.database.reading,
            ending: ending,
            itemsMax: 5_000
        )
        #expect(throws: StoreEnding.error) { try copy.follow(reading) }
        // It was in the middle, and says so.
        let file = copy.copy.registrations
        #expect(try file.feed() == nil && file.registrations([RegistrationNumber(1)]).count == 1)
        #expect(try file.registrations([RegistrationNumber(9_000)]).isEmpty)
        #expect(throws: StoreEnding.error) { try copy.follow(fixture.database.reading) }
        copy.close()
        copy = try fixture.standby(listener)
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(listener.agrees(with: try Contents(of: fixture.lead(copy))))
        #expect(listener.registrations.count == 9_000)
    }

    @Test("a node that is told to end leaves the reading of registrations")
    func endsLoading() throws {
        let fixture = try Self.filled(9_000)
        let listener = CopyListener()
        let ending = StoreEnding()
        let copy = try fixture.standby(listener, ending: ending)
        listener.onLoad = { ending.end() }
        #expect(throws: StoreEnding.error) { try copy.follow(fixture.database.reading) }
        #expect(listener.group == nil && listener.registrations.count < 9_000)
        copy.close()
    }

    @Test("a leader that is told to end leaves the opening, and the next one finds its copy")
    func endsOpening() throws {
        let fixture = try Self.filled(9)
        let ending = StoreEnding()
        ending.end()
        #expect(throws: StoreEnding.error) {
            try ClusterStore(
                groups: fixture.database.lead(),
                folder: fixture.path("a"),
                epochSeed: 8,
                ending: ending
            )
        }
        let store = try fixture.open("a")
        #expect(store.events == [.copyFilled(.missing)] && store.bounds.head == 9)
    }

    @Test("keys of schedules go where the database let them go, and newer ones stay")
    func keys() throws {
        let fixture = ClusterFixture()
        let listener = CopyListener()
        let store = try fixture.open()
        let copy = try fixture.standby(listener)
        func schedule(_ time: UInt64) {
            let change = StoredChange.putSchedule(Sample.schedule(time, key: time))
            #expect(store.commit(changes: [change], records: []).changes == nil)
        }
        func times() throws -> [UInt64] {
            try copy.copy.registrations.newestKeys(limit: 99).map(\.time.milliseconds)
        }
        for time in 1...9 as ClosedRange<UInt64> { schedule(time) }
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(try times() == Array(1...9))
        for (time, kept) in [(5, Array(5...10)), (99, [])] as [(UInt64, [UInt64])] {
            if time == 5 { schedule(10) }
            while try store.forgetKeys(before: Timestamp(milliseconds: time)) {}
            _ = try store.tidyAll(.at(1_000))
            #expect(try copy.follow(fixture.database.reading) == .level)
            #expect(try times() == kept, "before \(time)")
        }
        // One that comes later is there.
        schedule(100)
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(try times() == [100])
        let expected = try Contents(of: store)
        store.close()
        #expect(try Contents(of: fixture.lead(copy)) == expected)
    }

    @Test("a journal of departures that was emptied and begins again is followed")
    func departures() throws {
        let fixture = ClusterFixture()
        let listener = CopyListener()
        var store = try fixture.open()
        let copy = try fixture.standby(listener)
        func depart(_ number: UInt64) {
            let row = Sample.departure(number, time: number)
            #expect(store.commit(changes: [.putDeparture(row)], records: []).changes == nil)
        }
        for number in 1...3 as ClosedRange<UInt64> { depart(number) }
        #expect(try copy.follow(fixture.database.reading) == .level)
        _ = try store.tidyAll(.at(9_000_000_000))
        #expect(try store.departureNumbers() == nil)
        store.close()
        store = try fixture.open()
        depart(1)
        #expect(try copy.follow(fixture.database.reading) == .level)
        let expected = try Contents(of: store)
        #expect(expected.departures.map(\.number) == [1])
        store.close()
        #expect(try Contents(of: fixture.lead(copy)) == expected)
    }

    @Test("a row that is damaged has the copy filled anew")
    func damagedRow() throws {
        let fixture = ClusterFixture()
        let listener = CopyListener()
        let store = try fixture.open()
        for number in 1...3 as ClosedRange<UInt32> {
            _ = store.commit(changes: [.put(Sample.registration(number))], records: [])
        }
        var copy = try fixture.standby(listener)
        #expect(try copy.follow(fixture.database.reading) == .level)
        copy.close()
        let path = fixture.path("standby") + "/" + RegistrationFile.name
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(sql: "UPDATE registration SET body = zeroblob(9) WHERE rid = 2")
        }
        try queue.close()
        listener.forget()
        copy = try fixture.standby(listener)
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(copy.takeFaults() == [.damaged])
        #expect(listener.agrees(with: try Contents(of: store)))
    }
}
