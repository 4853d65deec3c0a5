import Foundation
import HubCluster
@testable import HubMemory
import HubModel
@testable import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Copies beside a database that was set back")
struct SetBackCopyTests {
    @Test("one that has seen more than the database holds stays, and its leader begins an epoch")
    func setBack() throws {
        let fixture = ClusterFixture()
        let listener = CopyListener()
        let store = try fixture.open()
        let copy = try fixture.standby(listener)
        _ = store.commit(changes: [.put(Sample.registration(1))], records: Sample.records(1...2))
        let earlier = fixture.database.copy()
        _ = store.commit(changes: [.put(Sample.registration(2))], records: Sample.records(3...4))
        #expect(try copy.follow(fixture.database.reading) == .level)
        store.close()
        fixture.database.setBack(to: earlier)
        for _ in 0..<2 { #expect(try copy.follow(fixture.database.reading) == .ahead) }
        let next = try fixture.lead(copy)
        #expect(next.events == [.newEpoch(.logIsOlder)])
        #expect(listener.group == nil)
        var numbers: [UInt32] = []
        try next.forEachRegistration { numbers.append($0.number.raw) }
        #expect(numbers == [1])
    }

    @Test("one that has seen more is filled anew once another node has begun an epoch")
    func setBackElsewhere() throws {
        let fixture = ClusterFixture()
        let listeners = [CopyListener(), CopyListener()]
        let store = try fixture.open()
        let first = try fixture.standby(listeners[0], "first")
        let second = try fixture.standby(listeners[1], "second")
        _ = store.commit(changes: [.put(Sample.registration(1))], records: Sample.records(1...2))
        let earlier = fixture.database.copy()
        // Many more groups than the next leader stores soon.
        for number in 2...9 as ClosedRange<UInt32> {
            let head = store.bounds.head
            let records = Sample.records(head + 1...head + 1)
            _ = store.commit(changes: [.put(Sample.registration(number))], records: records)
        }
        store.close()
        #expect(try first.follow(fixture.database.reading) == .level)
        #expect(try second.follow(fixture.database.reading) == .level)
        fixture.database.setBack(to: earlier)
        #expect(try second.follow(fixture.database.reading) == .ahead)
        let next = try fixture.lead(first)
        #expect(next.events == [.newEpoch(.logIsOlder)])
        #expect(try second.follow(fixture.database.reading) == .level)
        #expect(second.takeFaults() == [.missing, .otherPast])
        #expect(listeners[1].agrees(with: try Contents(of: next)))
        next.close()
        // It has nothing to tell a second time.
        let last = try fixture.lead(second)
        #expect(last.events == [] && last.bounds == next.bounds)
    }

    @Test("one that was filled, and ended before its log was level, tells of a set back too")
    func setBackBehindFill() throws {
        let fixture = ClusterFixture()
        var store = try fixture.open()
        let first = try fixture.standby(CopyListener(), "first")
        var copy = try fixture.standby(CopyListener())
        func commit(_ number: UInt32) {
            let head = store.bounds.head
            let records = Sample.records(head + 1...head + 1)
            _ = store.commit(changes: [.put(Sample.registration(number))], records: records)
        }
        commit(1)
        #expect(try copy.follow(fixture.database.reading) == .level)
        copy.close()
        let earlier = fixture.database.copy()
        commit(2)
        #expect(try first.follow(fixture.database.reading) == .level)
        store.close()
        fixture.database.setBack(to: earlier)
        // It begins an epoch that the log of the copy does not know.
        store = try fixture.lead(first)
        commit(3)
        let later = fixture.database.copy()
        for number in 4...8 as ClosedRange<UInt32> { commit(number) }
        let head = store.bounds.head
        store.close()
        var extent = TrimExtent()
        extent.changesBelow = 8
        let log = fixture.database.lead()
        while try log.trim(extent) {}
        let ending = StoreEnding()
        copy = try fixture.standby(CopyListener(), ending: ending)
        let reading = EndingReading(
            reading: fixture.database.reading,
            ending: ending,
            itemsMax: 1
        )
        #expect(throws: StoreError.self) { try copy.follow(reading) }
        copy.close()
        fixture.database.setBack(to: later)
        copy = try fixture.standby(CopyListener())
        #expect(copy.copy.bounds.head < head)
        #expect(try copy.follow(fixture.database.reading) == .ahead)
        let last = try fixture.lead(copy)
        #expect(last.events == [.newEpoch(.logIsOlder)])
        #expect(try #require(last.bounds.epochs.last).sequence > head)
    }

    @Test("registrations of a lost past beside a newer log tell of nothing")
    func oldRegistrations() throws {
        let fixture = ClusterFixture()
        let listener = CopyListener()
        var store = try fixture.open()
        let first = try fixture.standby(CopyListener(), "first")
        var copy = try fixture.standby(listener)
        _ = store.commit(changes: [.put(Sample.registration(1))], records: Sample.records(1...1))
        let earlier = fixture.database.copy()
        for number in 2...9 as ClosedRange<UInt32> {
            _ = store.commit(changes: [.put(Sample.registration(number))], records: [])
        }
        _ = store.commit(changes: [], records: Sample.records(2...2))
        store.close()
        for standby in [first, copy] {
            #expect(try standby.follow(fixture.database.reading) == .level)
        }
        copy.close()
        let files = FileManager.default
        let path = fixture.path("standby") + "/" + RegistrationFile.name
        try files.copyItem(atPath: path, toPath: path + "-old")
        fixture.database.setBack(to: earlier)
        store = try fixture.lead(first)
        #expect(store.events == [.newEpoch(.logIsOlder)])
        copy = try fixture.standby(listener)
        #expect(try copy.follow(fixture.database.reading) == .level)
        copy.close()
        try files.removeItem(atPath: path)
        try files.moveItem(atPath: path + "-old", toPath: path)
        copy = try fixture.standby(listener)
        #expect(try copy.follow(fixture.database.reading) == .level)
        #expect(listener.agrees(with: try Contents(of: store)))
    }
}
