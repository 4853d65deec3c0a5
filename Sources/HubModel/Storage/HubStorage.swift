package import HubVocabulary

/// One hub's files, owned by its writer thread; every call blocks until its promise holds.
///
/// A successful return promises the same for every back-end, and one suite checks it. Contents are
/// durable over process kill and power loss, and each part of a commit is all or nothing. Records
/// are dense and ascend from `head + 1`.
package protocol HubStorage: HistoryReading, KeyReading, RegistrationReading, DepartureReading {
    /// The log's extent as of the last commit.
    var bounds: LogBounds { get }

    /// Calls `body` with every live registration as `RegistrationCodec` writes it, ascending by
    /// number.
    /// - Throws: `.corrupted` also for what `body` throws.
    func forEachStoredRegistration(
        _ body: (Span<UInt8>) throws(RecordProblem) -> Void
    ) throws(StoreError)

    /// The highest registration number ever given.
    var registrationNumberMax: UInt32 { get }

    /// Calls `body` with every installation, ascending by `Installation.key`.
    func forEachInstallation(_ body: (Installation) -> Void) throws(StoreError)

    /// Calls `body` with every scheduled notification, in the order in which they fire; those whose
    /// record is in the log already were cut off between firing and removal.
    func forEachSchedule(
        _ body: (ScheduledNotification, _ isInLog: Bool) -> Void
    ) throws(StoreError)

    /// Returns the operators' settings; nil until an operator sets one.
    func settings() throws(StoreError) -> HubSettings?

    /// Calls `body` with every cancelled notification, ascending by id.
    func forEachCancelled(_ body: (ScheduledNotification) -> Void) throws(StoreError)

    /// Calls `body` with every bulk job, ascending by id.
    func forEachJob(_ body: (BulkJob) -> Void) throws(StoreError)

    /// The newest idempotency keys of records and schedules, at most `limit`, ascending by time.
    func newestKeys(limit: Int) throws(StoreError) -> [StoredKey]

    /// Forgets idempotency keys that were accepted before a time, some per call; whether there may
    /// be more. Loss in a crash may only bring them back.
    func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool

    /// Makes first the changes, then the records durable. Source: rules A.2.
    ///
    /// A record's idempotency key and schedule id are durable with it.
    func commit(changes: [StoredChange], records: [NotificationRecord]) -> CommitResult

    /// Merges cursors by maximum, in this order, forgets those of `StoredCursor(forgetting:)`, and
    /// adds counters: all of a batch or nothing; durable on return.
    ///
    /// A batch whose number is not above `checkpointNumber` was applied already and changes nothing.
    func checkpoint(_ batch: CheckpointBatch) throws(StoreError)

    /// The number of the last batch that was applied; 0 for none.
    var checkpointNumber: UInt64 { get }

    /// Calls `body` with the merged cursor of every device known.
    func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError)

    /// Key generations above 0, by device.
    func forEachRevocation(_ body: (DeviceID, UInt32) -> Void) throws(StoreError)

    /// Writes and syncs something that changes nothing, to each part: whether commits would succeed
    /// now.
    func probe() throws(StoreError)

    /// Does a bounded piece of housekeeping, some milliseconds of work.
    ///
    /// It removes records that are owed to no device any more, the registrations that explained
    /// them, and old departures.
    ///
    /// Records go from the lowest on, and only such as `retention` lets go by `now`. `bounds.first`
    /// moves with them and is durable before anything is gone. A clock that leaps is not believed at
    /// once. Source: rules B.3, B.6.
    func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult

    /// Makes every record at or below a place undeliverable; durable on return, and told by
    /// `bounds.purged`. Settings that are kept with `.putSettings` do the same by their
    /// `purgedThrough`. Source: rules B.6.
    func purge(through place: UInt64) throws(StoreError)

    /// A reader for other threads.
    var reader: any LogReading { get }

    /// Flushes and closes; nothing may be called afterwards.
    func close()
}

extension HubStorage {
    /// Calls `body` with every live registration, ascending by number; templates are not compiled.
    package func forEachRegistration(_ body: (Registration) -> Void) throws(StoreError) {
        try forEachStoredRegistration { bytes throws(RecordProblem) in
            body(try RegistrationCodec.decode(bytes))
        }
    }

    /// Keeps everything; for stores that hold little.
    package func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        TidyResult()
    }

    /// Refuses; for stores without.
    package func purge(through place: UInt64) throws(StoreError) {
        throw .unavailable(reason: "this store cannot purge")
    }
}
