package import HubCore

/// What an operator should hear about the opening of a store.
package enum StoreEvent: Hashable, Sendable {
    /// The hub's files were made.
    case created
    /// The log began a new epoch; devices whose position it does not know start again.
    case newEpoch(StoreDisagreement)
}

/// Why a log began a new epoch when it was opened.
///
/// Source: rules B.2.
package enum StoreDisagreement: Hashable, Sendable {
    /// There are registrations but no log.
    case logMissing
    /// There is a log but no registrations.
    case registrationsMissing
    /// The registrations have seen records that the log does not have: an older copy of it.
    case logIsOlder
    /// Both have the record, with different check values.
    case differentHistory
}

/// A hub's store in SQLite files: `DIR/hubs/NAME/` with registrations, log and state.
///
/// Owned by the hub's writer thread; only `reader` may be used from others. Every commit has been
/// synced to the disk when it returns (`synchronous=FULL`, checked at opening).
package final class SQLiteStore: HubStorage, KeyReading {
    /// What happened at opening.
    package let events: [StoreEvent]
    /// The hub's folder.
    package let path: String

    private let folder: StoreFolder
    let registrations: RegistrationFile
    let log: LogFile
    let state: StateFile
    private var headCheck: UInt32
    private var areKeysIndexed = false

    package private(set) var bounds: LogBounds
    package private(set) var registrationNumberMax: UInt32

    /// Opens a hub's files in `folder`, making what is missing, folders above included.
    ///
    /// `epochSeed` must be random: it names the epoch when the log is new or the files disagree.
    /// - Throws: `.locked`, `.cannotOpen`, `.newerSchema`, `.corrupted`, `.notDurable`, with the
    ///   path and the system's reason.
    package init(folder path: String, epochSeed: UInt64) throws(StoreError) {
        self.path = path
        folder = try StoreFolder(path: path)
        registrations = try RegistrationFile(path: try folder.file(RegistrationFile.name))
        log = try LogFile(path: try folder.file(LogFile.name))
        state = try StateFile(path: try folder.file(StateFile.name))
        let known = try log.bounds()
        let mark = try registrations.mark()
        let agreed = try StoreAgreement.settle(
            log: known,
            mark: mark?.log,
            newEpoch: epochSeed,
            check: log.check(at:)
        )
        if let begun = agreed.begun {
            try log.begin(begun, checkBelow: agreed.mark.check, isEmpty: known == nil)
        }
        registrationNumberMax = mark?.numberMax ?? 0
        if mark?.log != agreed.mark {
            try registrations.setMark(agreed.mark, numberMax: registrationNumberMax)
        }
        headCheck = agreed.mark.check
        events = agreed.events
        guard let bounds = try log.bounds() else {
            throw .corrupted("\(path)/\(LogFile.name): no epoch")
        }
        self.bounds = bounds
    }

    deinit { close() }

    // MARK: Registrations

    package func forEachRegistration(_ body: (Registration) -> Void) throws(StoreError) {
        try registrations.forEach(body)
    }

    package func forEachDeleted(
        _ body: (_ id: [UInt8], _ target: RegistrationTarget?) -> Void
    ) throws(StoreError) {
        try registrations.forEachDeleted(body)
    }

    package func forEachInstallation(_ body: (Installation) -> Void) throws(StoreError) {
        try registrations.forEachInstallation(body)
    }

    /// Tombstones of an external id, the newest first.
    package func deletedRegistrations(id: [UInt8]) throws(StoreError) -> [Registration] {
        try registrations.deleted(id: id)
    }

    /// Tombstones that led to a device, the newest first.
    package func deletedRegistrations(
        of device: DeviceID
    ) throws(StoreError) -> [Registration] {
        try registrations.deleted(of: device)
    }

    /// What operators decided.
    package func settings() throws(StoreError) -> HubSettings? { try registrations.settings() }

    // MARK: Schedules and keys

    package func forEachSchedule(
        _ body: (ScheduledNotification, _ isInLog: Bool) -> Void
    ) throws(StoreError) {
        try registrations.forEachSchedule { schedule in
            body(schedule, try log.sequence(of: schedule.id) != nil)
        }
    }

    package func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        try log.sequence(of: schedule)
    }

    package func forEachCancelled(
        _ body: (ScheduledNotification) -> Void
    ) throws(StoreError) {
        try registrations.forEachCancelled(body)
    }

    package func forEachJob(_ body: (BulkJob) -> Void) throws(StoreError) {
        try registrations.forEachJob(body)
    }

    package func newestKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        let all = try log.newestKeys(limit: limit) + registrations.newestKeys(limit: limit)
        return all.sorted { $0.time < $1.time }.suffix(limit)
    }

    package func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        if !areKeysIndexed {
            try log.indexKeys()
            areKeysIndexed = true
        }
        let found = [try log.key(scope), try registrations.key(scope)].compactMap { $0 }
        return found.max { $0.time < $1.time }
    }

    package func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        let hasMore = try log.forgetKeys(before: time)
        return try registrations.forgetKeys(before: time) || hasMore
    }

    // MARK: Commit

    package func commit(
        changes: [StoredChange],
        records: [NotificationRecord]
    ) -> CommitResult {
        var result = CommitResult()
        do throws(StoreError) {
            try apply(changes)
        } catch {
            result.changes = error
        }
        do throws(StoreError) {
            try append(records)
        } catch {
            result.records = error
        }
        return result
    }

    private func apply(_ changes: [StoredChange]) throws(StoreError) {
        guard !changes.isEmpty else { return }
        let numbers = changes.compactMap { change -> UInt32? in
            switch change {
            case .put(let registration), .remove(let registration): registration.number.raw
            case .putInstallation, .removeInstallation, .putSchedule, .removeSchedule,
                .cancelSchedule, .forgetSchedule, .putJob, .removeJob,
                .revoke, .putSettings:
                nil
            }
        }
        let numberMax = max(registrationNumberMax, numbers.max() ?? 0)
        let mark = RegistrationFile.LogMark(
            epoch: bounds.epoch,
            head: bounds.head,
            check: headCheck
        )
        try registrations.apply(changes, mark: mark, numberMax: numberMax)
        registrationNumberMax = numberMax
    }

    private func append(_ records: [NotificationRecord]) throws(StoreError) {
        guard let last = records.last else { return }
        for (offset, record) in records.enumerated() {
            let next = bounds.head + 1 + UInt64(offset)
            precondition(record.sequence == next, "record \(record.sequence) at \(next)")
        }
        try log.append(records)
        bounds.head = last.sequence
        headCheck = last.id.check
    }

    // MARK: Devices

    package func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        try state.checkpoint(batch)
    }

    package var checkpointNumber: UInt64 { state.batch }

    /// The counters of one notification, as far as they are durable.
    package func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        try state.counters(of: sequence)
    }

    package func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError) {
        for cursor in try state.merged() { body(cursor) }
    }

    package func forEachRevocation(_ body: (DeviceID, UInt32) -> Void) throws(StoreError) {
        try registrations.forEachRevocation(body)
    }

    package func revoke(_ device: DeviceID, generation: UInt32) throws(StoreError) {
        try registrations.revoke(device, generation: generation)
    }

    package func probe() throws(StoreError) {
        for file in [registrations.file, log.file, state.file] { try file.probe() }
    }

    // MARK: Reading and closing

    package var reader: any LogReading { log }

    package func close() {
        registrations.file.close()
        log.file.close()
        state.close()
        folder.close()
    }
}
