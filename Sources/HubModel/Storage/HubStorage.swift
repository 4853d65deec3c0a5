package import HubVocabulary

/// One hub's files, owned by its writer thread; every call blocks until its promise holds.
///
/// A successful return promises the same for every back-end, and one suite checks it. Contents are
/// durable over process kill and power loss, and each part of a commit is all or nothing. Records
/// are dense and ascend from `head + 1`.
package protocol HubStorage: AnyObject {
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

    /// The newest idempotency keys of schedules alone, at most `limit`, ascending by time.
    func newestScheduleKeys(limit: Int) throws(StoreError) -> [StoredKey]

    /// Forgets idempotency keys that were accepted before a time, some per call; whether there may
    /// be more. Loss in a crash may only bring them back.
    func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool

    /// Makes first the changes, then the records durable. Source: rules A.2.
    ///
    /// A record's idempotency key and schedule id are durable with it.
    func commit(changes: [StoredChange], records: [NotificationRecord]) -> CommitResult

    /// Forgets the cursors of `forgotten`, merges `cursors` by maximum in their order, adds
    /// counters, and notes lanes: all of a batch or nothing; durable on return.
    ///
    /// A batch whose number is not above `checkpointNumber` was applied already and changes nothing.
    func checkpoint(_ batch: CheckpointBatch) throws(StoreError)

    /// The number of the last batch that was applied; 0 for none.
    var checkpointNumber: UInt64 { get }

    /// The lanes that were ever noted, ascending by platform.
    func lanes() throws(StoreError) -> [StoredLane]

    /// The newest failures of lanes for one notification, ascending by registration; some hundred
    /// thousand are kept in all, and none below the floor of counters.
    func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure]

    /// Calls `body` with the merged cursor of every device known.
    func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError)

    /// Reads changes of cursors behind a row of their journal, some megabytes at most.
    func cursorJournal(behind mark: JournalMark) throws(StoreError) -> JournalNews

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

    // MARK: Registrations

    /// The live registrations with these numbers, in this order; those that do not live are left
    /// out.
    ///
    /// Templates are not compiled: `Registration.template` is nil, the definition is in its content.
    func registrations(_ numbers: [RegistrationNumber]) throws(StoreError) -> [Registration]

    /// Whether a deleted registration that is still remembered had an external id: it answers 410
    /// unless a live one has it again.
    func wasRegistrationDeleted(id: [UInt8]) throws(StoreError) -> Bool

    /// The slot of the deleted registration with the highest number that led to a device in a slot
    /// from `first` on; nil when none is remembered.
    func lastDeletedSlot(
        of device: DeviceID,
        from first: UInt16
    ) throws(StoreError) -> (number: RegistrationNumber, slot: UInt16)?

    // MARK: The past

    /// The counters of one notification, as far as they are durable.
    func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta]

    /// Deleted registrations with an external id, the newest first; templates are not compiled.
    func deletedRegistrations(id: [UInt8]) throws(StoreError) -> [Registration]

    /// Deleted registrations that led to a device, the newest first; templates are not compiled.
    func deletedRegistrations(of device: DeviceID) throws(StoreError) -> [Registration]

    /// Registrations that were deleted behind a place in the log, those that went first first, at
    /// most `limit`; templates are not compiled.
    func deletedRegistrations(
        since sequence: UInt64,
        limit: Int
    ) throws(StoreError) -> [Registration]

    // MARK: Idempotency keys and schedules

    /// The newest record or schedule with a key, however long ago; nil when there is none or it
    /// was forgotten.
    func key(_ scope: KeyHash) throws(StoreError) -> StoredKey?

    /// The place of the record that a scheduled notification became; nil when the log has none.
    func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64?

    // MARK: Departures

    /// The numbers of the rows that are kept; nil when there are none.
    func departureNumbers() throws(StoreError) -> ClosedRange<UInt64>?

    /// Rows from a number on, ascending, at most `limit`.
    func departures(from number: UInt64, limit: Int) throws(StoreError) -> [DepartureRow]

    // MARK: Other threads

    /// A reader for other threads.
    var reader: any LogReading { get }

    /// A reader of keys of records for other threads.
    var keyReader: any KeyReading { get }

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

    /// Has none; for stores that no other node follows.
    package func cursorJournal(behind mark: JournalMark) throws(StoreError) -> JournalNews {
        .empty
    }

    /// Refuses; for stores without.
    package func purge(through place: UInt64) throws(StoreError) {
        throw .unavailable(reason: "this store cannot purge")
    }
}
