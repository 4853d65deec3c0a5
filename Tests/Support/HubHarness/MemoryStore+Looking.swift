@testable import HubMemory
import HubModel
import HubVocabulary
import Synchronization

// What tests look at, and change, behind a directory's back.
extension MemoryStore {
    /// An empty store, in the epoch that tests expect.
    convenience init() { self.init(newEpoch: 7) }

    private subscript<Value: Sendable>(path: WritableKeyPath<MemoryContents, Value>) -> Value
    {
        get { disk.contents.withLock { $0[keyPath: path] } }
        set { disk.contents.withLock { $0[keyPath: path] = newValue } }
    }

    var registrations: [RegistrationNumber: Registration] {
        get { self[\.registrations] }
        set { self[\.registrations] = newValue }
    }

    var installations: [[UInt8]: Installation] { self[\.installations] }

    /// Tombstones.
    var deleted: [Registration] { disk.contents.withLock { $0.deleted.values.map(\.registration) } }

    func forgetDeleted() { disk.contents.withLock { $0.deleted = [:] } }

    /// Leaves a hole behind the log's records, as lost history does.
    func loseHistory(through head: UInt64) { self[\.log.bounds]?.head = head }

    /// The log.
    var records: [NotificationRecord] { self[\.log.records] }

    var schedules: [ScheduleID: ScheduledNotification] { self[\.schedules] }

    var cancelled: [ScheduleID: ScheduledNotification] { self[\.cancelled] }

    /// Idempotency keys of records and schedules.
    var keys: [StoredKey] { self[\.log.keys] + self[\.scheduleKeys] }

    var jobs: [JobID: BulkJob] {
        get { self[\.jobs] }
        set { self[\.jobs] = newValue }
    }

    var departures: [DepartureRow] {
        get { self[\.departures] }
        set { self[\.departures] = newValue }
    }

    var cursors: [DeviceID: StoredCursor] {
        get { self[\.progress.cursors] }
        set { self[\.progress.cursors] = newValue }
    }

    var generations: [DeviceID: UInt32] {
        get { self[\.generations] }
        set { self[\.generations] = newValue }
    }

    var counters: [CounterDelta] {
        get { self[\.progress.counters] }
        set { self[\.progress.counters] = newValue }
    }

    /// How often the store was read since it was opened.
    var reads: MemoryReads { self[\.reads] }

    /// Why changes are refused; nil while they are not.
    var refuseChanges: StoreError? {
        get { self[\.faults.changes] }
        set { self[\.faults.changes] = newValue }
    }

    /// Why records are refused; nil while they are not.
    var refuseRecords: StoreError? {
        get { self[\.faults.records] }
        set { self[\.faults.records] = newValue }
    }

    /// Why nothing can be read; nil while it can.
    var refuseReads: StoreError? {
        get { self[\.faults.reads] }
        set { self[\.faults.reads] = newValue }
    }
}
