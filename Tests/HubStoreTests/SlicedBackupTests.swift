import Foundation
import GRDB
import HubModel
@testable import HubStore
import HubVocabulary
import Synchronization
import Testing

private final class Flag: Sendable {
    let isSet = Atomic(false)
}

@Suite("Backups of a sliced log")
struct SlicedBackupTests {
    private func open(_ fixture: StoreFixture) throws -> SQLiteStore {
        try #require(try fixture.reopen() as? SQLiteStore)
    }

    private func fill(_ store: SQLiteStore, _ range: ClosedRange<UInt64>) {
        for number in range {
            let record = Sample.record(number, at: number, living: 1)
            let result = store.commit(
                changes: [.put(Sample.registration(UInt32(number)))],
                records: [record]
            )
            #expect(result.records == nil && result.changes == nil)
        }
    }

    @Test("hold every slice, sealed or not, and go on from there")
    func whole() throws {
        let fixture = StoreFixture(.sliced)
        let store = try open(fixture)
        fill(store, 1...8)
        _ = try store.tidyAll(.at(0))
        fill(store, 9...14)
        _ = try store.tidy(now: .at(0), keptSeconds: 0)
        let path = fixture.folder + "/copy"
        let extent = try StoreBackup.copy(fixture.path, to: path) { _, _, _ in }
        #expect(extent.head == 14 && extent.epoch == 7)
        #expect(extent.check == Sample.record(14, at: 14, living: 1).id.check)
        fill(store, 15...20)
        let found = try StoreVerification.of(path) { _ in }
        #expect(found.faults == [])
        let copied = try SQLiteStore(folder: path, epochSeed: 99, limits: fixture.limits)
        #expect(copied.events == [])
        #expect(try copied.held() == Array(1...14))
        copied.close()
        let begun = try StoreBackup.beginEpoch(in: path, seed: 5)
        #expect(begun == LogPlace(epoch: 5, sequence: 15))
        let restored = try SQLiteStore(folder: path, epochSeed: 99, limits: fixture.limits)
        #expect(restored.events == [])
        #expect(restored.bounds.epochs.map(\.epoch) == [7, 5])
        #expect(restored.bounds.head == 14)
        _ = try restored.tidyAll(.at(0))
        #expect(try restored.held() == Array(1...14))
        restored.close()
    }

    @Test("are whole while the hub writes, cuts, seals and trims")
    func busy() async throws {
        let fixture = StoreFixture(.sliced)
        fixture.limits.sliceRecordsMax = 50
        let store = try open(fixture)
        fill(store, 1...20)
        let path = fixture.path
        let copied = Flag()
        let copies = Task.detached { () throws -> [String] in
            defer { copied.isSet.store(true, ordering: .releasing) }
            var made: [String] = []
            for number in 0..<6 {
                let copy = path + "/../copy-\(number)"
                _ = try StoreBackup.copy(path, to: copy) { _, _, _ in }
                made.append(copy)
            }
            return made
        }
        var number: UInt64 = 20
        // Ends with the copies: a hub that is never idle, but for what one commit takes.
        while !copied.isSet.load(ordering: .acquiring), number < 5_000 {
            number += 1
            fill(store, number...number)
            _ = try store.tidy(now: .at(number * 1_000 - 15_000), keptSeconds: 0)
        }
        for copy in try await copies.value {
            let found = try StoreVerification.of(copy) { _ in }
            #expect(found.faults == [], "\(copy)")
            let opened = try SQLiteStore(folder: copy, epochSeed: 99, limits: fixture.limits)
            #expect(opened.events == [], "\(copy)")
            let held = try opened.held()
            #expect(held == Array(opened.bounds.first...opened.bounds.head), "\(copy)")
            var registrations = 0
            try opened.forEachRegistration { _ in registrations += 1 }
            #expect(registrations <= Int(opened.bounds.head) + 1, "\(copy)")
            opened.close()
        }
    }

    @Test("tell a slice that is missing, cut short or not the right one")
    func faults() throws {
        let fixture = StoreFixture(.sliced)
        let store = try open(fixture)
        fill(store, 1...10)
        _ = try store.tidyAll(.at(0))
        fixture.close()
        func faults(_ change: (String) throws -> Void) throws -> [String] {
            let copy = fixture.folder + "/\(UUID().uuidString)"
            try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
            try change(copy)
            return try StoreVerification.of(copy) { _ in }.faults.map {
                $0.replacingOccurrences(of: copy + "/", with: "")
            }
        }
        func second(_ copy: String) -> String { copy + "/" + SliceFile.name(2) }
        #expect(try faults { _ in }.isEmpty)
        #expect(
            try faults { try FileManager.default.removeItem(atPath: second($0)) }
                == ["log-000003.sqlite: slice 2 of the log is missing"]
        )
        #expect(
            try faults { try edit(second($0), "DELETE FROM entry WHERE seq = 6") } == [
                "log-000002.sqlite: ends at 5 instead of 6",
                "log-000003.sqlite: the log has a hole between 5 and 7",
            ]
        )
        #expect(
            try faults { try edit(second($0), "DELETE FROM entry WHERE seq = 4") }
                == ["log-000002.sqlite: begins at 5 instead of 4"]
        )
        #expect(
            try faults { try edit(second($0), "UPDATE batch SET headers = x'00'") }.count == 3
        )
        #expect(
            try faults { try edit(second($0), "DELETE FROM anchor WHERE seq = 5") }.count == 1
        )
        #expect(
            try faults { try edit(second($0), "UPDATE anchor SET anchor = 77 WHERE seq = 5") }.count
                == 1
        )
        #expect(
            try faults { try edit(second($0), "INSERT INTO key_place VALUES (1, 5)") }
                == ["log-000002.sqlite: has 1 places of keys instead of 0"]
        )
        #expect(
            try faults { try edit(second($0), "UPDATE slice SET head = 9") }
                .contains("log-000002.sqlite: slice 1 is damaged")
        )
    }
}
