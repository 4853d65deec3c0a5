import Foundation
import HubModel
@testable import HubStore
import HubVocabulary
import Testing

@Suite("Files that do not belong together")
struct StoreAgreementTests {
    private func open(_ fixture: StoreFixture, epoch: UInt64) throws -> SQLiteStore {
        try #require(try fixture.reopen(epoch: epoch) as? SQLiteStore)
    }

    /// A store with five records, a registration stored at head 3 and one at head 5.
    private func filled(_ fixture: StoreFixture) throws -> SQLiteStore {
        let store = try open(fixture, epoch: 7)
        #expect(store.events == [.created])
        _ = store.commit(changes: [], records: Sample.records(1...3))
        _ = store.commit(changes: [.put(Sample.registration(1))], records: Sample.records(4...5))
        _ = store.commit(changes: [.put(Sample.registration(2))], records: [])
        return store
    }

    private func copy(_ fixture: StoreFixture, _ name: String, to other: StoreFixture) throws {
        let target = other.path + "/" + name
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: target + suffix)
        }
        try FileManager.default.copyItem(atPath: fixture.path + "/" + name, toPath: target)
    }

    private func remove(_ fixture: StoreFixture, _ name: String) throws {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: fixture.path + "/" + name + suffix)
        }
    }

    @Test("files that were closed together go on in their epoch")
    func agree() throws {
        let fixture = StoreFixture()
        _ = try filled(fixture)
        let store = try open(fixture, epoch: 8)
        #expect(store.events.isEmpty)
        #expect(store.bounds.epoch == 7)
        // Records behind the last change are no disagreement.
        _ = store.commit(changes: [], records: Sample.records(6...9))
        #expect(try open(fixture, epoch: 8).events.isEmpty)
    }

    @Test("an older copy of the log begins an epoch above everything that was ever seen")
    func olderLog() throws {
        let fixture = StoreFixture()
        let older = StoreFixture()
        let short = try open(older, epoch: 7)
        _ = short.commit(changes: [], records: Sample.records(1...3))
        older.close()
        _ = try filled(fixture)
        fixture.close()
        try copy(older, SliceFile.name(1), to: fixture)
        var store = try open(fixture, epoch: 9)
        #expect(store.events == [.newEpoch(.logIsOlder)])
        #expect(
            store.bounds
                == LogBounds(
                    epoch: 9,
                    first: 1,
                    head: 5,
                    epochs: [LogPlace(epoch: 7, sequence: 1), LogPlace(epoch: 9, sequence: 6)]
                )
        )
        #expect(try store.reader.check(at: 3) == Sample.record(3).id.check)
        #expect(try store.reader.check(at: 4) == nil)
        // A device that has seen the lost record 5 has missed nothing.
        #expect(try store.reader.check(at: 5) == Sample.record(5).id.check)
        let result = store.commit(changes: [], records: Sample.records(6...6, salt: 77))
        #expect(result.records == nil)
        let read = try store.reader.records(after: 0, through: 9, limit: 99, bytesMax: .max)
        #expect(read.map(\.sequence) == [1, 2, 3, 6])
        store = try open(fixture, epoch: 10)
        #expect(store.events.isEmpty)
        #expect(store.bounds.epoch == 9)
        #expect(store.bounds.head == 6)
    }

    @Test("a log with another record at the known place begins an epoch above its head")
    func otherHistory() throws {
        let fixture = StoreFixture()
        let other = StoreFixture()
        let fork = try open(other, epoch: 7)
        _ = fork.commit(changes: [], records: Sample.records(1...8, salt: 1))
        other.close()
        _ = try filled(fixture)
        fixture.close()
        try copy(other, SliceFile.name(1), to: fixture)
        let store = try open(fixture, epoch: 9)
        #expect(store.events == [.newEpoch(.differentHistory)])
        #expect(store.bounds.epoch == 9)
        #expect(store.bounds.head == 8)
        #expect(try store.reader.check(at: 8) == Sample.record(8, salt: 1).id.check)
    }

    @Test("a missing log begins an epoch where the registrations were")
    func missingLog() throws {
        let fixture = StoreFixture()
        _ = try filled(fixture)
        fixture.close()
        try remove(fixture, SliceFile.name(1))
        let store = try open(fixture, epoch: 9)
        #expect(store.events == [.newEpoch(.logMissing)])
        #expect(
            store.bounds
                == LogBounds(
                    epoch: 9,
                    first: 6,
                    head: 5,
                    epochs: [LogPlace(epoch: 9, sequence: 6)]
                )
        )
        #expect(try store.reader.check(at: 5) == Sample.record(5).id.check)
        #expect(store.commit(changes: [], records: Sample.records(6...7)).records == nil)
        #expect(try open(fixture, epoch: 10).events.isEmpty)
    }

    @Test("missing registrations begin an epoch, and the log's records stay")
    func missingRegistrations() throws {
        let fixture = StoreFixture()
        _ = try filled(fixture)
        fixture.close()
        try remove(fixture, RegistrationFile.name)
        let store = try open(fixture, epoch: 9)
        #expect(store.events == [.newEpoch(.registrationsMissing)])
        #expect(store.bounds.epoch == 9)
        #expect(store.bounds.head == 5)
        #expect(try Contents(of: store).records.count == 5)
        #expect(try open(fixture, epoch: 10).events.isEmpty)
    }

    @Test("a first start that was cut short is finished by the next")
    func interruptedCreation() throws {
        let fixture = StoreFixture()
        _ = try open(fixture, epoch: 7)
        fixture.close()
        try remove(fixture, RegistrationFile.name)
        let store = try open(fixture, epoch: 8)
        #expect(store.events == [.created])
        #expect(store.bounds.epoch == 7)
    }

    @Test("an epoch is never used twice and never 0", arguments: [UInt64(0), 7])
    func epochs(seed: UInt64) throws {
        let fixture = StoreFixture()
        _ = try filled(fixture)
        fixture.close()
        try remove(fixture, RegistrationFile.name)
        let epoch = try open(fixture, epoch: seed).bounds.epoch
        #expect(epoch != 0 && epoch != 7)
    }
}
