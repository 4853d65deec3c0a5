/// `low` may wait for the acknowledgement delay; `high` also reaches dozing devices.
///
/// Never reorders.
package enum NotificationPriority: UInt8, Sendable {
    case veryLow = 0
    case low = 1
    case normal = 2
    case high = 3
}

extension NotificationPriority {
    /// The priority for a number of `apns-priority`: 10 at once, 5 considerate, 1 least.
    package init(apple: UInt8) {
        switch apple {
        case 10...: self = .high
        case 5..<10: self = .normal
        default: self = .low
        }
    }
}
