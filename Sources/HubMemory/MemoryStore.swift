package import HubModel
package import HubVocabulary
import Synchronization

/// The model of a store: arrays and dictionaries, nothing clever; durable as long as its disk.
package final class MemoryStore: HubStorage {
    let disk: MemoryDisk
    /// Records that are removed together, at places that end with a multiple of this.
    private let sliceRecords: UInt64

    /// Opens a disk; `newEpoch` is used when it is empty.
    package init(disk: MemoryDisk = MemoryDisk(), newEpoch: UInt64, sliceRecords: UInt64 = 1) {
        precondition(newEpoch != 0, "epoch 0 means none")
        self.disk = disk
        self.sliceRecords = max(1, sliceRecords)
        disk.contents.withLock { contents in
            if contents.log.bounds == nil {
                contents.log.bounds = LogBounds(
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
            guard let bounds = contents.log.bounds else {
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
        let (schedules, fired) = disk.contents.withLock { ($0.schedules, $0.log.fired) }
        for schedule in schedules.values.sorted(by: { $0.place < $1.place }) {
            var stored = schedule.draft
            stored.idempotency = nil
            let read = ScheduledNotification(
                id: schedule.id,
                due: schedule.due,
                notAfter: schedule.notAfter,
                draft: stored
            )
            body(read, fired[schedule.id] != nil)
        }
    }

    package func settings() -> HubSettings? { disk.contents.withLock(\.settings) }

    package func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { $0.log.fired[schedule] }
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
            let all = contents.log.keys + contents.scheduleKeys
            return all.sorted { $0.time < $1.time }.suffix(limit)
        }
    }

    package func newestScheduleKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        disk.contents.withLock { Array($0.scheduleKeys.suffix(limit)) }
    }

    package func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { contents in
            contents.reads.keys += 1
            let all = contents.log.keys + contents.scheduleKeys
            return all.filter { $0.key.scope == scope }.max { $0.time < $1.time }
        }
    }

    package func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        if let fault = disk.faults.cursors { throw fault }
        disk.contents.withLock { contents in
            let before = contents.log.keys.count
            contents.log.keys.removeAll { $0.time < time }
            contents.log.keysGone += UInt64(before - contents.log.keys.count)
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
            if result.records == nil { contents.log.append(records) }
        }
        return result
    }

    package func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        if let fault = disk.faults.cursors { throw fault }
        disk.contents.withLock { $0.progress.apply(batch) }
    }

    package var checkpointNumber: UInt64 { disk.contents.withLock(\.progress.batch) }

    /// The counters of one notification, as far as they are durable.
    package func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { $0.progress.counters(of: sequence) }
    }

    package func lanes() -> [StoredLane] {
        disk.contents.withLock(\.progress.lanesByPlatform)
    }

    package func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { $0.progress.failures(of: sequence, platform: platform) }
    }

    package func forEachCursor(_ body: (StoredCursor) -> Void) {
        for cursor in disk.contents.withLock(\.progress.cursorsByDevice) { body(cursor) }
    }

    package func cursorJournal(behind mark: JournalMark) -> JournalNews {
        disk.contents.withLock(\.progress.journal).news(behind: mark)
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
        disk.contents.withLock { $0.log.purge(through: place) }
    }

    package var reader: any LogReading { MemoryLogReader(disk: disk) }

    package var keyReader: any KeyReading { MemoryLogReader(disk: disk) }

    package func close() {}
}
