import CSyncFault
import Foundation
import HubModel
@testable import HubStore
import HubVocabulary
import Testing

@Suite("A commit that fails while it is synced")
struct RefusedCommitTests {
    /// The store as a process that starts now would find it if this one were killed.
    private func afterKill<Value>(
        _ fixture: StoreFixture,
        _ look: (SQLiteStore) throws -> Value
    ) throws -> Value {
        let copy = fixture.folder + "/copy-\(UUID().uuidString)"
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: copy,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // The index in shared memory dies with the machine; a new process makes another one.
        for name in try manager.contentsOfDirectory(atPath: fixture.path)
        where !name.hasSuffix("-shm") {
            try manager.copyItem(atPath: fixture.path + "/" + name, toPath: copy + "/" + name)
        }
        let store = try SQLiteStore(folder: copy, epochSeed: 99)
        defer { store.close() }
        return try look(store)
    }

    @Test("a record that was refused is not in the log after a crash")
    func records() throws {
        let fixture = StoreFixture()
        let store = try fixture.reopen()
        #expect(store.commit(changes: [], records: Sample.records(1...3)).records == nil)
        sync_fault_arm(1)
        let refused = store.commit(changes: [], records: Sample.records(4...6))
        sync_fault_arm(0)
        #expect(refused.records != nil)
        #expect(store.bounds.head == 3)
        try afterKill(fixture) { store throws in
            #expect(store.bounds.head == 3)
            #expect(store.events == [])
        }
        // The numbers go to later records, and these are there after a crash.
        let later = Sample.records(4...4, salt: 2)
        #expect(store.commit(changes: [], records: later).records == nil)
        try afterKill(fixture) { store throws in
            #expect(store.bounds.head == 4)
            #expect(try store.reader.check(at: 4) == later[0].id.check)
        }
    }

    @Test("a registration that was refused is not stored after a crash")
    func changes() throws {
        let fixture = StoreFixture()
        let store = try fixture.reopen()
        let first = store.commit(changes: [.put(Sample.registration(1))], records: [])
        #expect(first.changes == nil)
        sync_fault_arm(1)
        let refused = store.commit(changes: [.put(Sample.registration(2))], records: [])
        sync_fault_arm(0)
        #expect(refused.changes != nil)
        try afterKill(fixture) { store throws in
            var numbers: [UInt32] = []
            try store.forEachRegistration { numbers.append($0.number.raw) }
            #expect(numbers == [1])
        }
    }

    @Test("while nothing can be synced, the next commit that succeeds takes the refused one back")
    func failsTwice() throws {
        let fixture = StoreFixture()
        let store = try fixture.reopen()
        #expect(store.commit(changes: [], records: Sample.records(1...1)).records == nil)
        sync_fault_arm(100)
        let refused = store.commit(changes: [], records: Sample.records(2...9))
        sync_fault_arm(0)
        #expect(refused.records != nil)
        let later = Sample.records(2...2, salt: 2)
        #expect(store.commit(changes: [], records: later).records == nil)
        try afterKill(fixture) { store throws in
            #expect(store.bounds.head == 2)
            #expect(try store.reader.check(at: 2) == later[0].id.check)
        }
    }
}
