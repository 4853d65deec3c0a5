package import HubVocabulary

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
