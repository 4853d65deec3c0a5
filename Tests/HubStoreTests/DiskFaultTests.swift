import CFaultyDisk
import Foundation
import Glibc
import HubModel
@testable import HubStore
import HubVocabulary
import Testing

/// What a disk answers when it takes no more.
enum DiskFault: CaseIterable, Sendable {
    case full
    case broken

    var code: CInt { self == .full ? ENOSPC : EIO }

    /// Whether a store says the right thing of it.
    func isMeant(by error: StoreError?) -> Bool {
        switch error {
        case .full: self == .full
        // Where only the shared index cannot grow, SQLite says no more than that.
        case .unavailable, .cannotOpen: true
        default: false
        }
    }
}

@Suite("A disk that takes no more")
struct DiskFaultTests {
    /// A store with some of everything and its next slice due.
    private func filled() throws -> (StoreFixture, SQLiteStore) {
        let fixture = StoreFixture(.sliced)
        fixture.limits.sliceRecordsMax = 8
        let store = try #require(try fixture.reopen() as? SQLiteStore)
        try GoldenStore.fill(store)
        return (fixture, store)
    }

    /// What was asked of a store, and how it refuses.
    private enum Request: String, CaseIterable {
        case changes, records, checkpoint, revoke, forgetKeys, purge, tidy, open

        func run(_ store: SQLiteStore, _ fixture: StoreFixture) throws(StoreError) {
            switch self {
            case .changes:
                let changes = (20..<40).map { StoredChange.put(Sample.registration($0)) }
                if let error = store.commit(changes: changes, records: []).changes { throw error }
            case .records:
                let head = store.bounds.head
                let records = (1...4).map { Sample.record(head + $0, bytes: 30_000) }
                if let error = store.commit(changes: [], records: records).records { throw error }
            case .checkpoint:
                try store.checkpoint(
                    CheckpointBatch(
                        number: store.checkpointNumber + 1,
                        cursors: (0..<900).map { Sample.cursor($0, 9, 9, 9) },
                        counters: [Sample.delta(2, .apple, .sent, 1)]
                    )
                )
            case .revoke: try store.revoke(DeviceID(high: 9, low: 9), generation: 4)
            case .forgetKeys: _ = try store.forgetKeys(before: Timestamp(milliseconds: .max >> 16))
            case .purge: try store.purge(through: 3)
            case .tidy: while try store.tidy(now: .at(0), keptSeconds: 0).hasMore {}
            case .open:
                try SQLiteStore(
                    folder: fixture.folder + "/other",
                    epochSeed: 1,
                    limits: fixture.limits
                ).close()
            }
        }
    }

    /// Requests that do what they do in one transaction, so that a refused one leaves no trace.
    private static let single: [Request] = [
        .changes, .records, .checkpoint, .revoke, .purge,
    ]

    @Test(
        "refuses every call, whichever write fails first; nothing is half done, and it heals",
        arguments: DiskFault.allCases,
        Request.allCases
    )
    private func refuses(fault: DiskFault, request: Request) throws {
        let (fixture, store) = try filled()
        if request == .tidy { _ = store.commit(changes: [], records: Sample.records(6...12)) }
        // A refused request leaves no trace, so this holds before each of them.
        let before = try Self.single.contains(request) ? Contents(of: store) : nil
        var refused = 0
        for after in 0..<200 {
            write_fault_arm_thread(after, fault.code)
            var failure: StoreError?
            do throws(StoreError) {
                try request.run(store, fixture)
            } catch { failure = error }
            // How many writes were left over does not matter: none may fail from here on.
            write_fault_arm_thread(0, 0)
            let place = "\(request), write \(after)"
            guard let failure else {
                break
            }
            refused += 1
            #expect(fault.isMeant(by: failure), "\(place): \(failure)")
            if let before { #expect(try Contents(of: store) == before, "\(place)") }
            let killed = try fixture.copyAsKilled()
            let copy = try #require(try killed.reopen(epoch: 99) as? SQLiteStore)
            #expect(copy.events == [], "\(place)")
            if let before { #expect(try Contents(of: copy) == before, "\(place)") }
        }
        #expect(refused > 0, "no write was refused")
        let head = store.bounds.head
        let next = store.commit(changes: [], records: [Sample.record(head + 1)])
        #expect(next.records == nil)
        let expected = try Contents(of: store)
        fixture.close()
        #expect(try Contents(of: try fixture.reopen()) == expected)
    }

    @Test("keeps a migration from starting without a copy", arguments: DiskFault.allCases)
    func migration(fault: DiskFault) throws {
        let fixture = try OldStore.fixture()
        var refused = 0
        for after in 0..<400 {
            write_fault_arm_thread(after, fault.code)
            var failure: StoreError?
            do throws(StoreError) {
                _ = try OldStore.migrate(fixture)
            } catch { failure = error }
            write_fault_arm_thread(0, 0)
            guard let failure else { break }
            refused += 1
            #expect(fault.isMeant(by: failure), "write \(after): \(failure)")
        }
        #expect(refused > 10)
        let store = try fixture.reopen(epoch: 99)
        #expect(try store.held() == [1, 2, 3, 4, 5, 6, 7])
        #expect(try OldStore.copies(fixture).count == 1)
    }
}
