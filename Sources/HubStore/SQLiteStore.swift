package import HubModel
package import HubVocabulary

/// A hub's store in SQLite files: `DIR/hubs/NAME/` with registrations, log and state.
///
/// Owned by the hub's writer thread; only `reader` may be used from others. Every commit has been
/// synced to the disk when it returns (`synchronous=FULL`, checked at opening).
package final class SQLiteStore: HubStorage {
    /// The events of opening that an operator should hear of.
    package let events: [StoreEvent]
    /// The hub's folder.
    package let path: String

    private let folder: StoreFolder
    private let limits: StoreLimits
    let registrations: RegistrationFile
    let log: SlicedLog
    let state: StateFile
    private var headCheck: UInt32
    private var sealing: SliceSealing?
    private var clock: TrustedClock
    private var progress: OpeningProgress

    package private(set) var bounds: LogBounds
    package private(set) var registrationNumberMax: UInt32

    /// Opens a hub's files in `folder`, making what is missing, folders above included.
    ///
    /// `epochSeed` must be random: it names the epoch when the log is new or the files disagree.
    /// `progress` hears what is being done when that takes long, also while what is stored is read
    /// for the first time.
    /// - Throws: `.locked`, `.cannotOpen`, `.newerSchema`, `.olderSchema`, `.corrupted`,
    ///   `.notDurable`, `.full`, with the path and the system's reason.
    package init(
        folder path: String,
        epochSeed: UInt64,
        limits: StoreLimits = StoreLimits(),
        progress tell: @escaping (String) -> Void = { _ in }
    ) throws(StoreError) {
        self.path = path
        self.limits = limits
        progress = OpeningProgress(limits, tell: tell)
        clock = TrustedClock(doubtMilliseconds: limits.clockDoubtMilliseconds)
        folder = try StoreFolder(path: path)
        let migration = try StoreMigration.prepare(folder, limits: limits, &progress)
        registrations = try RegistrationFile(path: try folder.file(RegistrationFile.name))
        log = try SlicedLog.open(in: folder, limits: limits, progress: &progress)
        state = try StateFile(path: try folder.file(StateFile.name), limits: limits)
        let mark = try registrations.mark()
        let agreed = try StoreAgreement.reconcile(
            log: log.bounds,
            mark: mark?.log,
            newEpoch: epochSeed,
            check: log.check(at:)
        )
        if let begun = agreed.begun {
            try log.begin(begun, checkBelow: agreed.mark.check, in: folder)
        }
        registrationNumberMax = mark?.numberMax ?? 0
        if mark?.log != agreed.mark {
            try registrations.setMark(agreed.mark, numberMax: registrationNumberMax)
        }
        headCheck = agreed.mark.check
        events = (migration.map { [$0] } ?? []) + agreed.events
        if let settings = try registrations.settings() {
            try log.purge(through: settings.purgedThrough)
        }
        guard let bounds = log.bounds else { throw .corrupted("\(path): a log without an epoch") }
        self.bounds = bounds
    }

    deinit { close() }

    // MARK: Registrations

    /// Calls `body` with the bytes of every live registration, ascending by number.
    package func forEachStoredRegistration(
        _ body: (Span<UInt8>) throws(RecordProblem) -> Void
    ) throws(StoreError) {
        var count = 0
        try registrations.forEach { bytes throws(RecordProblem) in
            count += 1
            if count.isMultiple(of: 4_096) { progress.step("read \(count) registrations") }
            try body(bytes)
        }
    }

    /// The live registrations with these numbers, in this order; those that do not live are left out.
    package func registrations(
        _ numbers: [RegistrationNumber]
    ) throws(StoreError) -> [Registration] {
        try registrations.registrations(numbers)
    }

    /// Whether a deleted registration had an external id.
    package func wasRegistrationDeleted(id: [UInt8]) throws(StoreError) -> Bool {
        try registrations.wasDeleted(id)
    }

    /// Number and slot of a device's newest deleted registration in a slot from `first` on.
    package func lastDeletedSlot(
        of device: DeviceID,
        from first: UInt16
    ) throws(StoreError) -> (number: RegistrationNumber, slot: UInt16)? {
        try registrations.lastDeletedSlot(of: device, from: first)
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

    /// Tombstones of what went behind a place in the log, the oldest first.
    package func deletedRegistrations(
        since sequence: UInt64,
        limit: Int
    ) throws(StoreError) -> [Registration] {
        try registrations.deleted(since: sequence, limit: limit)
    }

    /// Returns the operators' settings; nil until an operator sets one.
    package func settings() throws(StoreError) -> HubSettings? { try registrations.settings() }

    // MARK: Schedules and keys

    package func forEachSchedule(
        _ body: (ScheduledNotification, _ isInLog: Bool) -> Void
    ) throws(StoreError) {
        let all = try registrations.schedules()
        guard !all.isEmpty else { return }
        let recorded = try log.recorded(Set(all.map(\.id)))
        for schedule in all { body(schedule, recorded.contains(schedule.id)) }
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

    /// The numbers of the rows that are kept.
    package func departureNumbers() throws(StoreError) -> ClosedRange<UInt64>? {
        try registrations.departureNumbers()
    }

    /// Rows from a number on, ascending.
    package func departures(
        from number: UInt64,
        limit: Int
    ) throws(StoreError) -> [DepartureRow] {
        try registrations.departures(from: number, limit: limit)
    }

    package func newestKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        let all = try log.newestKeys(limit: limit) + registrations.newestKeys(limit: limit)
        return all.sorted { $0.time < $1.time }.suffix(limit)
    }

    package func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        let found = [try log.key(scope), try registrations.key(scope)].compactMap { $0 }
        return found.max { $0.time < $1.time }
    }

    package func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        try log.forgetKeys(before: time)
        return try registrations.forgetKeys(before: time, limit: limits.rowsPerStep)
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
                .cancelSchedule, .forgetSchedule, .putJob, .removeJob, .putDeparture,
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
        for case .putSettings(let settings) in changes {
            // The purge is durable with the settings. The log's knowledge of it only lets files go,
            // and the next start tells the log again.
            try? purge(through: settings.purgedThrough)
        }
    }

    private func append(_ records: [NotificationRecord]) throws(StoreError) {
        guard let last = records.last else { return }
        for (offset, record) in records.enumerated() {
            let next = bounds.head + 1 + UInt64(offset)
            precondition(record.sequence == next, "record \(record.sequence) at \(next)")
        }
        try log.append(records, in: folder)
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

    package func lanes() throws(StoreError) -> [StoredLane] { try state.lanes() }

    package func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        try state.failures(of: sequence, platform: platform)
    }

    package func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError) {
        try state.forEachCursor(body)
    }

    package func forEachRevocation(_ body: (DeviceID, UInt32) -> Void) throws(StoreError) {
        try registrations.forEachRevocation(body)
    }

    package func probe() throws(StoreError) {
        let files = [registrations.file, log.present?.file, state.file].compactMap { $0 }
        for file in files { try file.probe() }
    }

    // MARK: Housekeeping

    package func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        var result = TidyResult()
        defer { bounds = log.bounds ?? bounds }
        let time = clock.time(now)
        if let time {
            result.removed = try log.trim(now: time, retention: retention, in: folder)
        }
        result.hasMore = result.removed != nil
        if result.removed != nil, sealing.map({ !log.numbers.contains($0.number) }) == true {
            sealing = nil
        }
        if !result.hasMore { result.hasMore = try log.seal(&sealing) }
        if !result.hasMore {
            let first = log.bounds?.first ?? 0
            result.hasMore = try registrations.forgetDeleted(
                below: first,
                limit: max(1, limits.rowsPerStep / 16)
            )
        }
        if !result.hasMore {
            let kept = retention.departuresKeptSeconds * 1_000
            result.hasMore = try registrations.forgetDepartures(
                before: time.map { $0.milliseconds - min($0.milliseconds, kept) } ?? 0,
                keeping: retention.departuresMax,
                limit: max(1, limits.rowsPerStep / 16)
            )
        }
        result.logBytes = log.bytes
        result.damagedLists = log.takeDamagedLists()
        return result
    }

    package func purge(through place: UInt64) throws(StoreError) {
        try log.purge(through: min(place, bounds.head))
        bounds = log.bounds ?? bounds
    }

    // MARK: Reading and closing

    package var reader: any LogReading { log }

    package func close() {
        registrations.file.close()
        log.close()
        state.close()
        folder.close()
    }
}
