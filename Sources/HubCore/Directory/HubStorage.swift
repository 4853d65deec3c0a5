/// Why a store did not do what was asked; nothing was stored in any of these cases.
package enum StoreError: Error, Hashable, Sendable {
    /// The engine is away or stalled; safe to repeat.
    case unavailable(reason: String)
    /// No space left on the device.
    case full
    /// A checksum or a structure is wrong; names the file and place.
    case corrupted(String)
    /// The files belong to a newer release.
    case newerSchema(found: Int, known: Int)
    /// Another process holds the folder.
    case locked(path: String)
    /// The folder or a file cannot be opened; the reason of the system.
    case cannotOpen(path: String, reason: String)
    /// The engine would not promise durability (synchronous level or journal mode).
    case notDurable(String)
}

extension StoreError: CustomStringConvertible {
    /// One readable line for the operator.
    package var description: String {
        switch self {
        case .unavailable(let reason): "the store is unavailable: \(reason)"
        case .full: "no space is left on the device"
        case .corrupted(let place): "damaged data: \(place)"
        case .newerSchema(let found, let known):
            "written by a newer release (schema \(found), this one knows \(known))"
        case .locked(let path): "\(path) is in use by another process"
        case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
        case .notDurable(let reason): "would not keep what it acknowledges: \(reason)"
        }
    }
}

/// The extent of a hub's log.
package struct LogBounds: Hashable, Sendable {
    /// The present epoch; never 0.
    package var epoch: UInt64
    /// The lowest sequence number still held; 1 when nothing was trimmed.
    package var first: UInt64
    /// The highest sequence number; `first - 1` when the log is empty.
    package var head: UInt64
    /// Every epoch with its first sequence number, ascending.
    ///
    /// Source: rules B.2.
    package var epochs: [LogPlace]
    /// Records up to here were purged: they are not delivered any more, though some may still be
    /// held; 0 when nothing was.
    ///
    /// Source: rules B.6.
    package var purged: UInt64

    /// Makes bounds.
    package init(
        epoch: UInt64,
        first: UInt64,
        head: UInt64,
        epochs: [LogPlace],
        purged: UInt64 = 0
    ) {
        self.epoch = epoch
        self.first = first
        self.head = head
        self.epochs = epochs
        self.purged = purged
    }
}

/// What one step of a store's housekeeping did.
package struct TidyResult: Hashable, Sendable {
    /// Whether another step would find something to do at once.
    package var hasMore = false
    /// Places whose records were removed, because all had expired or were purged; nil for none.
    package var removed: ClosedRange<UInt64>?
    /// Bytes that the log takes, about; a store that does not count says 0.
    package var logBytes = 0
    /// Parts of the log whose lists of records were found damaged since the last step; what they
    /// would have said is worked out from the records.
    package var damagedLists: [Int] = []

    /// Nothing was done.
    package init() {}
}

/// A change as the store keeps it.
package enum StoredChange: Sendable {
    /// Insert or replace.
    case put(Registration)
    /// Leave a tombstone for explanations.
    case remove(Registration)
    /// Insert or replace, by `Installation.key`.
    case putInstallation(Installation)
    /// Forget; nothing remains.
    case removeInstallation(Installation)
    /// Keep a scheduled notification, and its idempotency key.
    case putSchedule(ScheduledNotification)
    /// Keep what operators decided, in place of what they decided before.
    case putSettings(HubSettings)
    /// Forget a scheduled notification; its idempotency key stays until it is forgotten itself.
    case removeSchedule(ScheduleID)
    /// Keep a scheduled notification as a cancelled one; its idempotency key stays too.
    case cancelSchedule(ScheduledNotification)
    /// Forget a cancelled notification.
    case forgetSchedule(ScheduleID)
    /// A device's key generation.
    case revoke(DeviceID, generation: UInt32)
    /// Insert or replace a bulk job.
    case putJob(BulkJob)
    /// Forget a bulk job.
    case removeJob(JobID)
    /// Add a row to the journal of departures, behind the last.
    case putDeparture(DepartureRow)
}

/// What one group commit did.
///
/// The two parts are separate: refused changes do not refuse records.
package struct CommitResult: Sendable {
    /// nil when every change is durable; otherwise none is.
    package var changes: StoreError?
    /// nil when every record is durable; otherwise none is.
    package var records: StoreError?

    /// Makes a result.
    package init(changes: StoreError? = nil, records: StoreError? = nil) {
        self.changes = changes
        self.records = records
    }
}

/// One hub's files, owned by its writer thread; every call blocks until its promise holds.
///
/// What a successful return means is the same for every back-end and checked by one suite:
/// durable over process kill and power loss, all or nothing per part, records dense and ascending
/// from `head + 1`.
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

    /// What operators decided; nil when they did not.
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

    /// Does a bounded piece of what keeps the store small, some milliseconds of work: removes
    /// records of which none is owed any more, what explained them, and old departures.
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

/// What the directory reads of registrations, on the writer's thread: as of the last commit.
package protocol RegistrationReading: AnyObject {
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
}

/// What the directory asks its store on the writer's thread, for telemetry and explanations.
package protocol HistoryReading: AnyObject {
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
}

/// Reads of the log from any thread.
package protocol LogReading: MissedReading, Sendable {
    /// Records in `(after, through]` in ascending order, at most `limit`, until about `bytesMax`
    /// bytes of bodies; at least one when there is one.
    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord]
}

/// What working out a missed set asks of the log.
package protocol MissedReading {
    /// The check value at a place: 0 at sequence 0, nil when the log does not hold it.
    func check(at sequence: UInt64) throws(StoreError) -> UInt32?

    /// The records in `(after, through]` that any of `anchors` lists, at least up to where `limit`
    /// of them are found; a few may be listed that have none of the anchors.
    ///
    /// Source: rules A.7.
    func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates

    /// The records at these places, which ascend, until about `bytesMax` bytes of bodies; at least
    /// the first that there is. Places that the log does not hold are left out.
    func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord]

    /// What decides about the records at these places, which ascend; without those that the log
    /// does not hold.
    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader]
}

/// A device's cursor as the store keeps it.
///
/// Source: rules B.5.
package struct StoredCursor: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// Highest acknowledged sequence number.
    package var acknowledged: UInt64
    /// At least `acknowledged`.
    package var scannedThrough: UInt64
    /// When the device was last seen.
    package var lastSeen: Timestamp
    /// Matches at or below that were not sent are counted.
    package var evaluatedThrough: UInt64

    /// Makes a cursor.
    package init(
        device: DeviceID,
        acknowledged: UInt64,
        scannedThrough: UInt64,
        lastSeen: Timestamp,
        evaluatedThrough: UInt64 = 0
    ) {
        self.device = device
        self.acknowledged = acknowledged
        self.scannedThrough = scannedThrough
        self.lastSeen = lastSeen
        self.evaluatedThrough = evaluatedThrough
    }

    /// Says to a store that what it keeps of a device's cursor is to be forgotten.
    ///
    /// What is checkpointed behind it counts again.
    package init(forgetting device: DeviceID) {
        self.init(
            device: device,
            acknowledged: 0,
            scannedThrough: 0,
            lastSeen: Timestamp(milliseconds: 0)
        )
    }

    /// Whether this is no cursor but the word to forget one; no device was seen in 1970.
    package var isForgotten: Bool { lastSeen.milliseconds == 0 }
}
