import HubModel
import HubVocabulary

/// A store that keeps everything in memory and refuses what it is told to; the log is its own
/// reader.
final class ModelStorage: HubStorage {
    var bounds: LogBounds
    var registrations: [RegistrationNumber: Registration] = [:]
    var deleted: [RegistrationNumber: Registration] = [:]
    var registrationNumberMax: UInt32 = 0
    var installations: [[UInt8]: Installation] = [:]
    var log = ModelLog()
    var cursors: [DeviceID: StoredCursor] = [:]
    var generations: [DeviceID: UInt32] = [:]
    var counters: [CounterDelta] = []
    var checkpointNumber: UInt64 = 0
    var schedules: [ScheduleID: ScheduledNotification] = [:]
    var jobs: [JobID: BulkJob] = [:]
    var departures: [DepartureRow] = []
    var cancelled: [ScheduleID: ScheduledNotification] = [:]
    /// Idempotency keys, in the order in which they were stored.
    var keys: [StoredKey] = []
    var decided: HubSettings?
    /// The journal of departures cannot be read.
    var refuseDepartures: StoreError?
    /// How often rows of the journal of departures were read.
    var departureReads = 0
    /// How often a key was looked up.
    var keyReads = 0
    /// The next commit refuses changes or records with these.
    var refuseChanges: StoreError?
    var refuseRecords: StoreError?
    /// Registrations cannot be read.
    var refuseReads: StoreError?
    /// How many registrations were read since the start.
    var registrationReads = 0

    init(epoch: UInt64 = 7) {
        bounds = LogBounds(
            epoch: epoch,
            first: 1,
            head: 0,
            epochs: [LogPlace(epoch: epoch, sequence: 1)]
        )
    }

    func forEachStoredRegistration(
        _ body: (Span<UInt8>) throws(RecordProblem) -> Void
    ) throws(StoreError) {
        for (number, registration) in registrations.sorted(by: { $0.key < $1.key }) {
            let bytes = RegistrationCodec.encode(registration)
            do throws(RecordProblem) {
                try body(bytes.span)
            } catch {
                throw .corrupted("registration \(number.raw)")
            }
        }
    }

    func registrations(_ numbers: [RegistrationNumber]) throws(StoreError) -> [Registration] {
        if let refuseReads { throw refuseReads }
        registrationReads += numbers.count
        return numbers.compactMap { number in
            var stored = registrations[number]
            stored?.template = nil
            return stored
        }
    }

    func wasRegistrationDeleted(id: [UInt8]) throws(StoreError) -> Bool {
        if let refuseReads { throw refuseReads }
        return deleted.values.contains { $0.id == id }
    }

    func lastDeletedSlot(
        of device: DeviceID,
        from first: UInt16
    ) throws(StoreError) -> (number: RegistrationNumber, slot: UInt16)? {
        if let refuseReads { throw refuseReads }
        let all = deleted.values.filter {
            $0.target?.device == device && ($0.target?.slot ?? 0) >= first
        }
        let last = all.max { $0.number < $1.number }
        return last.flatMap { found in found.target.map { (found.number, $0.slot) } }
    }

    func forEachInstallation(_ body: (Installation) -> Void) {
        for (_, installation) in installations.sorted(by: { $0.value.number < $1.value.number }) {
            body(installation)
        }
    }

    func settings() -> HubSettings? { decided }

    func commit(changes: [StoredChange], records: [NotificationRecord]) -> CommitResult {
        let result = CommitResult(
            changes: changes.isEmpty ? nil : refuseChanges,
            records: records.isEmpty ? nil : refuseRecords
        )
        if result.changes == nil {
            apply(changes)
            for case .putSchedule(let schedule) in changes {
                if let key = schedule.storedKey { keys.append(key) }
            }
        }
        if result.records == nil {
            for record in records {
                precondition(record.sequence == bounds.head + 1, "not dense")
                if let schedule = record.schedule {
                    let isNew = !log.records.contains { $0.schedule == schedule }
                    precondition(isNew, "schedule \(schedule.text) fired twice")
                }
                if let key = record.storedKey { keys.append(key) }
                log.records.append(record)
                bounds.head += 1
            }
        }
        return result
    }

    private func apply(_ changes: [StoredChange]) {
        for change in changes {
            switch change {
            case .put(let registration):
                registrations[registration.number] = registration
                registrationNumberMax = max(registrationNumberMax, registration.number.raw)
            case .remove(let registration):
                registrations[registration.number] = nil
                deleted[registration.number] = registration
                registrationNumberMax = max(registrationNumberMax, registration.number.raw)
            case .putInstallation(let installation):
                installations[installation.key] = installation
            case .removeInstallation(let installation):
                installations[installation.key] = nil
            case .putSchedule(let schedule): schedules[schedule.id] = schedule
            case .removeSchedule(let id): schedules[id] = nil
            case .putSettings(let changed): decided = changed
            case .cancelSchedule(let schedule):
                schedules[schedule.id] = nil
                cancelled[schedule.id] = schedule
            case .forgetSchedule(let id): cancelled[id] = nil
            case .revoke(let device, let generation): generations[device] = generation
            case .putJob(let job): jobs[job.id] = job
            case .removeJob(let id): jobs[id] = nil
            case .putDeparture(let row): departures.append(row)
            }
        }
    }

    func forEachCancelled(_ body: (ScheduledNotification) -> Void) {
        for schedule in cancelled.values.sorted(by: { $0.id < $1.id }) { body(schedule) }
    }

    func forEachJob(_ body: (BulkJob) -> Void) {
        for job in jobs.values.sorted(by: { $0.id < $1.id }) { body(job) }
    }

    func forEachSchedule(_ body: (ScheduledNotification, _ isInLog: Bool) -> Void) {
        for schedule in schedules.values.sorted(by: { $0.place < $1.place }) {
            body(schedule, log.records.contains { $0.schedule == schedule.id })
        }
    }

    func departureNumbers() throws(StoreError) -> ClosedRange<UInt64>? {
        guard let first = departures.first, let last = departures.last else { return nil }
        return first.number...last.number
    }

    func departures(from number: UInt64, limit: Int) throws(StoreError) -> [DepartureRow] {
        if let refuseDepartures { throw refuseDepartures }
        departureReads += 1
        return Array(departures.drop { $0.number < number }.prefix(limit))
    }

    func newestKeys(limit: Int) -> [StoredKey] {
        Array(keys.sorted { $0.time < $1.time }.suffix(limit))
    }

    func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        if let failure = log.failure { throw failure }
        keyReads += 1
        return keys.last { $0.key.scope == scope }
    }

    func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        if let failure = log.failure { throw failure }
        return log.records.first { $0.schedule == schedule }?.sequence
    }

    func forgetKeys(before time: Timestamp) -> Bool {
        keys.removeAll { $0.time < time }
        return false
    }

    func checkpoint(_ batch: CheckpointBatch) {
        guard batch.number > checkpointNumber else { return }
        checkpointNumber = batch.number
        for cursor in batch.cursors {
            cursors[cursor.device] = cursor.isForgotten ? nil : cursor
        }
        counters += batch.counters
        counters.removeAll { $0.sequence < batch.countersFloor }
    }

    func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        if let failure = log.failure { throw failure }
        return counters.filter { $0.sequence == sequence }
    }

    func deletedRegistrations(id: [UInt8]) -> [Registration] {
        deleted.values.filter { $0.id == id }.sorted { $0.number > $1.number }
    }

    func deletedRegistrations(of device: DeviceID) -> [Registration] {
        deleted.values.filter { $0.target?.device == device }.sorted { $0.number > $1.number }
    }

    func deletedRegistrations(since sequence: UInt64, limit: Int) -> [Registration] {
        let found = deleted.values.filter { $0.tagsSince.sequence > sequence }.sorted {
            ($0.tagsSince.sequence, $0.number) < ($1.tagsSince.sequence, $1.number)
        }
        return Array(found.prefix(limit))
    }

    func forEachCursor(_ body: (StoredCursor) -> Void) { cursors.values.forEach(body) }

    func forEachRevocation(_ body: (DeviceID, UInt32) -> Void) {
        for (device, generation) in generations { body(device, generation) }
    }

    var reader: any LogReading { log }

    func probe() throws(StoreError) {
        if let refusal = refuseChanges ?? refuseRecords { throw refusal }
    }

    func close() {}
}

/// The log of a `ModelStorage`, shared with its readers.
final class ModelLog: LogReading, @unchecked Sendable {
    // Tests use it from one thread.
    var records: [NotificationRecord] = []
    var failure: StoreError?

    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        if let failure { throw failure }
        return Array(records.filter { $0.sequence > after && $0.sequence <= through }.prefix(limit))
    }

    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        if let failure { throw failure }
        return sequence == 0 ? 0 : records.first { $0.sequence == sequence }?.id.check
    }
}
