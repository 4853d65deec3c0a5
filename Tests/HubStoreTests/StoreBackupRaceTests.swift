import Dispatch
import HubModel
@testable import HubStore
import HubTestSupport
import HubVocabulary
import Synchronization
import Testing

@Suite("Backups of a store that is written to")
struct StoreBackupRaceTests {
    /// Whether the writer goes on, and how far it is.
    private final class Work: Sendable {
        let isOver = Atomic(false)
        let head = Atomic(UInt64(0))
        /// The writer takes one for each record: without a bound each copy would take longer, and
        /// more would be written during it.
        let allowed = DispatchSemaphore(value: 0)

        /// Lets the writer write so many records more.
        func allow(_ count: Int) { for _ in 0..<count { allowed.signal() } }

        /// Has the writer end.
        func end() {
            isOver.store(true, ordering: .sequentiallyConsistent)
            allowed.signal()
        }
    }

    @Test(
        "agree with themselves, and hold what was committed before, whatever is written meanwhile"
    )
    func whileWriting() throws {
        let fixture = StoreFixture()
        let path = fixture.path
        let work = Work()
        let writer = ThreadWork { try Self.write(path, work) }
        defer { work.end() }
        var writtenMeanwhile: UInt64 = 0
        for number in 0..<12 {
            let before = work.head.load(ordering: .sequentiallyConsistent)
            work.allow(400)
            try eventually(blocking: "another commit") {
                work.head.load(ordering: .sequentiallyConsistent) != before
            }
            let promised = work.head.load(ordering: .sequentiallyConsistent)
            let copy = fixture.folder + "/copy-\(number)"
            let extent = try eventually(blocking: "a copy, whatever is written") {
                try Self.copied(path, to: copy)
            }
            let head = work.head.load(ordering: .sequentiallyConsistent)
            writtenMeanwhile += head - promised
            #expect(extent.head >= promised)
            let found = try StoreVerification.of(copy) { _ in }
            #expect(found.faults == [])
            let store = try SQLiteStore(folder: copy, epochSeed: 99)
            #expect(store.events == [], "registrations ahead of the log, or the other way round")
            // Each schedule is there, or its record is: it was planned before it was fired.
            var waiting: Set<UInt64> = []
            try store.forEachSchedule { schedule, _ in waiting.insert(schedule.due.milliseconds) }
            let records = try store.reader.records(
                after: 0,
                through: .max,
                limit: .max,
                bytesMax: .max
            )
            let fired = Set(records.compactMap { $0.schedule?.time.milliseconds })
            if let last = waiting.union(fired).max() {
                #expect(waiting.union(fired) == Set(1...last), "a schedule is in neither file")
            }
            store.close()
        }
        work.end()
        try writer.value()
        #expect(writtenMeanwhile > 0, "nothing was written while a copy was made")
    }

    /// Copies a store once; nil where it was too busy for it.
    private static func copied(_ path: String, to copy: String) throws -> StoreBackup.Extent? {
        do {
            return try StoreBackup.copy(path, to: copy) { _, _, _ in }
        } catch StoreError.unavailable(let reason) where reason.hasSuffix("try again") {
            return nil
        }
    }

    /// Plans a schedule, fires it and removes it, over and over, as the directory does.
    private static func write(_ path: String, _ work: Work) throws {
        guard let store = try? SQLiteStore(folder: path, epochSeed: 7) else {
            Issue.record("no store in \(path)")
            return
        }
        defer { store.close() }
        var fired: ScheduleID?
        for number in UInt64(1)... {
            try work.allowed.waitInTime("leave to write more")
            if work.isOver.load(ordering: .sequentiallyConsistent) { return }
            let schedule = Sample.schedule(number, due: number)
            var changes: [StoredChange] = [.putSchedule(schedule)]
            if let fired { changes.append(.removeSchedule(fired)) }
            let planned = store.commit(changes: changes, records: [])
            let record = Sample.record(number, key: nil, schedule: schedule.id)
            let result = store.commit(changes: [], records: [record])
            guard planned.changes == nil, result.records == nil else {
                Issue.record("a commit was refused: \(planned), \(result)")
                return
            }
            fired = schedule.id
            work.head.store(number, ordering: .sequentiallyConsistent)
        }
    }
}
