import HubCluster
import HubModel
import HubVocabulary

/// A hub's registrations and log in the files of one folder.
///
/// They are the truth of a hub on one machine, or a copy of what a database holds. Owned by the
/// hub's writer thread; only the log may be read from others.
package final class HubCopy {
    /// The hub's folder.
    let folder: StoreFolder
    let keeping: Durability
    let limits: StoreLimits
    var registrations: RegistrationFile
    var log: SlicedLog
    var progress: OpeningProgress
    /// The check value at the head.
    var headCheck: UInt32
    /// The highest registration number ever given.
    var numberMax: UInt32
    /// The last group whose changes are there; counted in copies of a database only.
    var feed: UInt64 = 0
    /// The last changes that are there, likewise; nil where that is not known.
    var lastChange: ChangeMark?
    /// Keys of schedules that were accepted before have left the database; in copies that follow.
    var keysFrom = Timestamp(milliseconds: 0)
    /// nil while the log is new.
    var extent: LogBounds?
    /// Hears what it becomes, on a node that waits.
    var observer: (any CopyObserver)?
    private var sealing: SliceSealing?
    private var clock: TrustedClock

    /// Opens the files of a folder, making what is missing.
    init(
        in folder: StoreFolder,
        keeping: Durability,
        limits: StoreLimits,
        progress: OpeningProgress
    ) throws(StoreError) {
        self.folder = folder
        self.keeping = keeping
        self.limits = limits
        clock = TrustedClock(doubtMilliseconds: limits.clockDoubtMilliseconds)
        registrations = try RegistrationFile(
            path: try folder.file(RegistrationFile.name),
            keeping: keeping
        )
        var progress = progress
        log = try SlicedLog.open(
            in: folder,
            keeping: keeping,
            limits: limits,
            progress: &progress
        )
        self.progress = progress
        numberMax = try registrations.mark()?.numberMax ?? 0
        extent = log.bounds
        headCheck = 0
        if let head = extent?.head { headCheck = try log.check(at: head) ?? 0 }
    }

    /// The log's extent; there is one as soon as an epoch has begun.
    var bounds: LogBounds {
        guard let extent else { preconditionFailure("\(folder.path): a log without an epoch") }
        return extent
    }

    /// Brings registrations and log of the truth together: a log that is not the one which the
    /// registrations know begins an epoch.
    ///
    /// - Returns: what to tell the operator.
    func agree(epochSeed: UInt64) throws(StoreError) -> [StoreEvent] {
        let mark = try registrations.mark()
        let agreed = try StoreAgreement.reconcile(
            log: extent,
            mark: mark?.log,
            newEpoch: epochSeed,
            check: log.check(at:)
        )
        if let begun = agreed.begun {
            try log.begin(begun, checkBelow: agreed.mark.check, in: folder)
        }
        if mark?.log != agreed.mark {
            try registrations.setMark(agreed.mark, numberMax: numberMax)
        }
        headCheck = agreed.mark.check
        if let settings = try registrations.settings() {
            try log.purge(through: settings.purgedThrough)
        }
        extent = log.bounds
        guard extent != nil else { throw .corrupted("\(folder.path): a log without an epoch") }
        return agreed.events
    }

    // MARK: Writing

    /// Makes changes durable, as one transaction.
    func commit(_ changes: [StoredChange]) throws(StoreError) {
        guard !changes.isEmpty else { return }
        let mark = RegistrationFile.LogMark(
            epoch: bounds.epoch,
            head: bounds.head,
            check: headCheck
        )
        try write(changes, mark)
    }

    /// Writes changes that were made at a place of the log; `change` is their mark in the database.
    func write(
        _ changes: [StoredChange],
        _ mark: RegistrationFile.LogMark,
        change: ChangeMark? = nil
    ) throws(StoreError) {
        let numbers = changes.compactMap { change -> UInt32? in
            switch change {
            case .put(let registration), .remove(let registration): registration.number.raw
            case .putInstallation, .removeInstallation, .putSchedule, .removeSchedule,
                .cancelSchedule, .forgetSchedule, .putJob, .removeJob, .putDeparture,
                .revoke, .putSettings:
                nil
            }
        }
        let highest = max(numberMax, numbers.max() ?? 0)
        try registrations.apply(
            changes,
            mark: mark,
            numberMax: highest,
            feed: change?.number,
            lastChange: change
        )
        numberMax = highest
        for case .putSettings(let settings) in changes {
            // The purge is durable with the settings. The log's knowledge of it only lets files go,
            // and the next start tells the log again.
            try? purge(through: settings.purgedThrough)
        }
    }

    /// Makes records durable, as one transaction; the first lies above the head.
    func append(_ records: [NotificationRecord]) throws(StoreError) {
        guard let last = records.last else { return }
        for (offset, record) in records.enumerated() {
            let next = bounds.head + 1 + UInt64(offset)
            precondition(record.sequence == next, "record \(record.sequence) at \(next)")
        }
        try log.append(records, in: folder)
        extent?.head = last.sequence
        headCheck = last.id.check
    }

    /// Makes every record at or below a place undeliverable.
    func purge(through place: UInt64) throws(StoreError) {
        try log.purge(through: min(place, bounds.head))
        extent = log.bounds
    }

    /// Writes something that changes nothing, to each file.
    func probe() throws(StoreError) {
        let files = [registrations.file, log.present?.file].compactMap { $0 }
        for file in files { try file.probe() }
    }

    // MARK: Housekeeping

    /// Forgets idempotency keys that were accepted before a time; whether there may be more.
    func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        try log.forgetKeys(before: time)
        return try registrations.forgetKeys(before: time, limit: limits.rowsPerStep)
    }

    /// Does a bounded piece of housekeeping.
    func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        var result = TidyResult()
        defer { extent = log.bounds }
        let time = clock.time(now)
        if let time {
            result.removed = try log.trim(now: time, retention: retention, in: folder)
        }
        result.hasMore = result.removed != nil
        if !result.hasMore { result.hasMore = try seal() }
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

    /// Does a bounded piece of housekeeping of a copy that follows: what its database let go of goes
    /// here too; whether there may be more.
    func tidy(behind place: GroupPlace) throws(StoreError) -> Bool {
        defer { extent = log.bounds }
        let limit = max(1, limits.rowsPerStep / 16)
        if try log.trim(below: place.first, in: folder) { return true }
        if try seal() { return true }
        if try registrations.forgetDeleted(below: place.first, limit: limit) { return true }
        if try registrations.forgetKeys(before: keysFrom, limit: limit) { return true }
        return try registrations.forgetDepartures(
            before: 0,
            keeping: CoreLimits.standard.feedback.departuresMax,
            limit: limit
        )
    }

    /// Does one step of sealing; false when no slice waits for it.
    private func seal() throws(StoreError) -> Bool {
        // That slice may have been removed meanwhile.
        if let number = sealing?.number, !log.numbers.contains(number) { sealing = nil }
        return try log.seal(&sealing)
    }

    /// Flushes and closes the files, and lets go of the folder.
    func close() {
        closeFiles()
        folder.close()
    }

    /// Flushes and closes the files; the folder stays held.
    func closeFiles() {
        registrations.file.close()
        log.close()
    }
}
