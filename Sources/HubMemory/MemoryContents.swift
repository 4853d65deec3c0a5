import HubModel
import HubVocabulary

/// The contents of a memory store's disk.
struct MemoryContents: Sendable {
    var log = MemoryLog()
    var progress = MemoryProgress()
    var registrations: [RegistrationNumber: Registration] = [:]
    /// Each with the place in the log from which it was gone.
    var deleted: [RegistrationNumber: (registration: Registration, place: UInt64)] = [:]
    var numberMax: UInt32 = 0
    /// By `Installation.key`.
    var installations: [[UInt8]: Installation] = [:]
    var generations: [DeviceID: UInt32] = [:]
    var schedules: [ScheduleID: ScheduledNotification] = [:]
    var cancelled: [ScheduleID: ScheduledNotification] = [:]
    /// Idempotency keys of schedules, ascending by time.
    var scheduleKeys: [StoredKey] = []
    var settings: HubSettings?
    var jobs: [JobID: BulkJob] = [:]
    /// Ascending, without holes.
    var departures: [DepartureRow] = []
    var faults = MemoryFaults()
    var reads = MemoryReads()

    mutating func apply(_ changes: [StoredChange]) {
        for change in changes {
            switch change {
            case .put(let registration):
                registrations[registration.number] = registration
                deleted[registration.number] = nil
                numberMax = max(numberMax, registration.number.raw)
            case .remove(let registration):
                registrations[registration.number] = nil
                deleted[registration.number] = (registration, (log.bounds?.head ?? 0) + 1)
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
                log.purge(through: changed.purgedThrough)
            }
        }
    }
}
