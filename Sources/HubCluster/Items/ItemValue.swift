package import HubModel
package import HubVocabulary

/// The meaning of an item.
package enum ItemValue: Sendable {
    /// A live registration.
    case registration(Registration)
    /// A deleted one, and the place in the log from which it was gone.
    case tombstone(Registration, gone: UInt64)
    /// An installation.
    case installation(Installation)
    /// A scheduled notification, without its idempotency key.
    case schedule(ScheduledNotification)
    /// The key with which a notification was scheduled.
    case scheduleKey(IdempotencyKey, ScheduleID)
    /// A cancelled notification.
    case cancelled(ScheduledNotification)
    /// A device's key generation.
    case generation(DeviceID, UInt32)
    /// The operators' settings.
    case settings(HubSettings)
    /// A bulk job.
    case job(BulkJob)
    /// A departure.
    case departure(DepartureRow)
}
