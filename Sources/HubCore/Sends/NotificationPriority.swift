/// `low` may wait for the acknowledgement delay; `high` also reaches dozing devices.
///
/// Never reorders.
package enum NotificationPriority: UInt8, Sendable {
    case veryLow = 0
    case low = 1
    case normal = 2
    case high = 3
}
