package import HubModel
package import HubVocabulary
import Synchronization

/// What a memory store keeps; outlives the store, as a disk does, so that tests can open it again.
package final class MemoryDisk: Sendable {
    struct Contents: Sendable {
        var bounds: LogBounds?
        var registrations: [RegistrationNumber: Registration] = [:]
        /// Each with the place in the log from which it was gone.
        var deleted: [RegistrationNumber: (registration: Registration, place: UInt64)] = [:]
        var numberMax: UInt32 = 0
        /// By `Installation.key`.
        var installations: [[UInt8]: Installation] = [:]
        /// From `bounds.first` on.
        var records: [NotificationRecord] = []
        /// The check value below `bounds.first`.
        var checkBelow: UInt32 = 0
        var cursors: [DeviceID: StoredCursor] = [:]
        var counters: [CounterDelta] = []
        var batch: UInt64 = 0
        var countersFloor: UInt64 = 0
        var generations: [DeviceID: UInt32] = [:]
        var schedules: [ScheduleID: ScheduledNotification] = [:]
        /// The places of their records.
        var fired: [ScheduleID: UInt64] = [:]
        /// Of records, and of schedules; ascending by time among those of one kind.
        var keys: [StoredKey] = []
        var scheduleKeys: [StoredKey] = []
        var settings: HubSettings?
        var jobs: [JobID: BulkJob] = [:]
        /// Ascending, without holes.
        var departures: [DepartureRow] = []
        var cancelled: [ScheduleID: ScheduledNotification] = [:]
        var faults = MemoryFaults()
        var reads = MemoryReads()
    }

    let contents = Mutex(Contents())

    /// An empty disk.
    package init() {}

    /// Sets what goes wrong from now on.
    package func setFaults(_ faults: MemoryFaults) { contents.withLock { $0.faults = faults } }

    var faults: MemoryFaults { contents.withLock { $0.faults } }
}

/// How often a memory store was read; more than one that caches needs is a fault of its reader.
package struct MemoryReads: Sendable {
    /// Registrations by number.
    package var registrations = 0
    /// Idempotency keys.
    package var keys = 0
    /// Pages of the journal of departures.
    package var departures = 0
}

/// What goes wrong in a memory store until it is told otherwise.
package struct MemoryFaults: Sendable {
    /// Registration changes are refused.
    package var changes: StoreError?
    /// Log records are refused.
    package var records: StoreError?
    /// Checkpoints and revocations are refused.
    package var cursors: StoreError?
    /// Neither the log nor registrations can be read.
    package var reads: StoreError?
    /// Runs at the start of each commit, on the writer's thread: blocks there to stall it.
    package var stall: (@Sendable () -> Void)?

    /// Nothing goes wrong.
    package init(
        changes: StoreError? = nil,
        records: StoreError? = nil,
        cursors: StoreError? = nil,
        reads: StoreError? = nil,
        stall: (@Sendable () -> Void)? = nil
    ) {
        self.changes = changes
        self.records = records
        self.cursors = cursors
        self.reads = reads
        self.stall = stall
    }
}

/// The model of a store: arrays and dictionaries, nothing clever; durable as long as its disk.
package final class MemoryStore: HubStorage, KeyReading {
    let disk: MemoryDisk
    /// Records that are removed together, at places that end with a multiple of this.
    private let sliceRecords: UInt64

    /// Opens a disk; `newEpoch` is used when it is empty.
    package init(disk: MemoryDisk = MemoryDisk(), newEpoch: UInt64, sliceRecords: UInt64 = 1) {
        precondition(newEpoch != 0, "epoch 0 means none")
        self.disk = disk
        self.sliceRecords = max(1, sliceRecords)
        disk.contents.withLock { contents in
            if contents.bounds == nil {
                contents.bounds = LogBounds(
                    epoch: newEpoch,
                    first: 1,
                    head: 0,
                    epochs: [LogPlace(epoch: newEpoch, sequence: 1)]
                )
            }
        }
    }

    package var bounds: LogBounds {
        disk.contents.withLock { contents in
            // `init` has begun an epoch where there was none.
            guard let bounds = contents.bounds else {
                preconditionFailure("a memory store without epoch")
            }
            return bounds
        }
    }

    package var registrationNumberMax: UInt32 { disk.contents.withLock(\.numberMax) }

    package func forEachInstallation(_ body: (Installation) -> Void) {
        let all = disk.contents.withLock { $0.installations }
        for (_, installation) in all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            body(installation)
        }
    }

    package func forEachSchedule(
        _ body: (ScheduledNotification, _ isInLog: Bool) -> Void
    ) {
        let (schedules, fired) = disk.contents.withLock { ($0.schedules, $0.fired) }
        for schedule in schedules.values.sorted(by: { $0.place < $1.place }) {
            var stored = schedule.draft
            stored.idempotency = nil
            let read = ScheduledNotification(
                id: schedule.id,
                due: schedule.due,
                notAfter: schedule.notAfter,
                draft: stored,
                properties: schedule.properties
            )
            body(read, fired[schedule.id] != nil)
        }
    }

    package func settings() -> HubSettings? { disk.contents.withLock(\.settings) }

    package func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { $0.fired[schedule] }
    }

    package func forEachCancelled(_ body: (ScheduledNotification) -> Void) {
        let all = disk.contents.withLock { $0.cancelled }
        for schedule in all.values.sorted(by: { $0.id < $1.id }) { body(schedule) }
    }

    package func forEachJob(_ body: (BulkJob) -> Void) {
        let all = disk.contents.withLock { $0.jobs }
        for job in all.values.sorted(by: { $0.id < $1.id }) { body(job) }
    }

    /// The numbers of the rows that are kept.
    package func departureNumbers() throws(StoreError) -> ClosedRange<UInt64>? {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { contents in
            guard let first = contents.departures.first, let last = contents.departures.last
            else { return nil }
            return first.number...last.number
        }
    }

    /// Rows from a number on, ascending.
    package func departures(
        from number: UInt64,
        limit: Int
    ) throws(StoreError) -> [DepartureRow] {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { contents in
            contents.reads.departures += 1
            return Array(contents.departures.drop { $0.number < number }.prefix(limit))
        }
    }

    package func newestKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        disk.contents.withLock { contents in
            let all = contents.keys + contents.scheduleKeys
            return all.sorted { $0.time < $1.time }.suffix(limit)
        }
    }

    package func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { contents in
            contents.reads.keys += 1
            let all = contents.keys + contents.scheduleKeys
            return all.filter { $0.key.scope == scope }.max { $0.time < $1.time }
        }
    }

    package func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        if let fault = disk.faults.cursors { throw fault }
        disk.contents.withLock { contents in
            contents.keys.removeAll { $0.time < time }
            contents.scheduleKeys.removeAll { $0.time < time }
        }
        return false
    }

    package func commit(
        changes: [StoredChange],
        records: [NotificationRecord]
    ) -> CommitResult {
        let faults = disk.faults
        faults.stall?()
        let result = CommitResult(
            changes: changes.isEmpty ? nil : faults.changes,
            records: records.isEmpty ? nil : faults.records
        )
        disk.contents.withLock { contents in
            if result.changes == nil { contents.apply(changes) }
            if result.records == nil { contents.append(records) }
        }
        return result
    }

    package func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        if let fault = disk.faults.cursors { throw fault }
        disk.contents.withLock { contents in
            guard batch.number > contents.batch else { return }
            contents.batch = batch.number
            for cursor in batch.cursors { contents.cursors.merge(cursor) }
            contents.counters += batch.counters
            contents.countersFloor = max(contents.countersFloor, batch.countersFloor)
            contents.counters.removeAll { $0.sequence < contents.countersFloor }
        }
    }

    package var checkpointNumber: UInt64 { disk.contents.withLock(\.batch) }

    /// The counters of one notification, as far as they are durable.
    package func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        if let fault = disk.faults.reads { throw fault }
        let all = disk.contents.withLock { $0.counters.filter { $0.sequence == sequence } }
        let sums = CounterTable(all)
        let platforms = Platform.allCases.map(Optional.init) + [nil]
        return platforms.flatMap { platform in
            TelemetryKind.allCases.compactMap { kind in
                let count = sums[platform, kind]
                return count == 0
                    ? nil
                    : CounterDelta(
                        sequence: sequence,
                        platform: platform,
                        kind: kind,
                        count: count
                    )
            }
        }
    }

    package func forEachCursor(_ body: (StoredCursor) -> Void) {
        let all = disk.contents.withLock { $0.cursors }
        for cursor in all.values.sorted(by: { $0.device < $1.device }) { body(cursor) }
    }

    package func forEachRevocation(_ body: (DeviceID, UInt32) -> Void) {
        let all = disk.contents.withLock { $0.generations }
        for (device, generation) in all.sorted(by: { $0.key < $1.key }) { body(device, generation) }
    }

    package func probe() throws(StoreError) {
        let faults = disk.faults
        if let fault = faults.changes ?? faults.records ?? faults.cursors { throw fault }
    }

    /// Removes whole slices, tombstones below the log's beginning, and old departures; believes every
    /// clock.
    package func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        if let fault = disk.faults.cursors { throw fault }
        return disk.contents.withLock { contents in
            contents.tidy(now: now.time, retention, sliceRecords: sliceRecords)
        }
    }

    package func purge(through place: UInt64) throws(StoreError) {
        if let fault = disk.faults.cursors { throw fault }
        disk.contents.withLock { contents in
            guard let bounds = contents.bounds else { return }
            contents.bounds?.purged = max(bounds.purged, min(place, bounds.head))
        }
    }

    package var reader: any LogReading { MemoryLogReader(disk: disk) }

    package func close() {}
}

extension MemoryDisk.Contents {
    fileprivate mutating func apply(_ changes: [StoredChange]) {
        for change in changes {
            switch change {
            case .put(let registration):
                registrations[registration.number] = registration
                deleted[registration.number] = nil
                numberMax = max(numberMax, registration.number.raw)
            case .remove(let registration):
                registrations[registration.number] = nil
                deleted[registration.number] = (registration, (bounds?.head ?? 0) + 1)
                numberMax = max(numberMax, registration.number.raw)
            case .putInstallation(let installation):
                installations[installation.key] = installation
            case .removeInstallation(let installation):
                installations[installation.key] = nil
            case .putSchedule(let schedule):
                schedules[schedule.id] = schedule
                if let key = schedule.storedKey { scheduleKeys.append(key) }
            case .removeSchedule(let id): schedules[id] = nil
            case .cancelSchedule(let schedule):
                schedules[schedule.id] = nil
                cancelled[schedule.id] = schedule
            case .forgetSchedule(let id): cancelled[id] = nil
            case .revoke(let device, let generation): generations[device] = generation
            case .putJob(let job): jobs[job.id] = job
            case .removeJob(let id): jobs[id] = nil
            case .putDeparture(let row): departures.append(row)
            case .putSettings(let changed):
                settings = changed
                if let bounds {
                    let place = min(changed.purgedThrough, bounds.head)
                    self.bounds?.purged = max(bounds.purged, place)
                }
            }
        }
    }

    fileprivate mutating func append(_ added: [NotificationRecord]) {
        for record in added {
            let next = (bounds?.head ?? 0) + 1
            precondition(record.sequence == next, "record \(record.sequence) at \(next)")
            records.append(record)
            if let key = record.storedKey { keys.append(key) }
            if let schedule = record.schedule {
                let isFirst = fired.updateValue(next, forKey: schedule) == nil
                precondition(isFirst, "schedule \(schedule.text) fired twice")
            }
            bounds?.head = next
        }
    }
}

/// Reads of a memory store's log.
private struct MemoryLogReader: LogReading {
    let disk: MemoryDisk

    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        if let fault = disk.faults.reads { throw fault }
        var bytes = 0
        var found: [NotificationRecord] = []
        let (all, first) = disk.contents.withLock { ($0.records, $0.bounds?.first ?? 1) }
        let start = after < first ? 0 : Int(clamping: after - first + 1)
        for record in all.dropFirst(start).prefix(limit) {
            bytes += record.draft.body.count
            guard record.sequence <= through, bytes <= bytesMax || found.isEmpty else { break }
            found.append(record)
        }
        return found
    }

    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        if let fault = disk.faults.reads { throw fault }
        guard sequence > 0 else { return 0 }
        return disk.contents.withLock { contents in
            let first = contents.bounds?.first ?? 1
            if sequence == first - 1 { return contents.checkBelow }
            guard sequence >= first, sequence - first < contents.records.count else { return nil }
            return contents.records[Int(sequence - first)].id.check
        }
    }
}
