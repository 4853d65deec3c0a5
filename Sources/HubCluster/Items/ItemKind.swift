/// The kind of an item; part of the database's format.
package enum ItemKind: UInt8, CaseIterable, Comparable, Sendable {
    /// A registration, by its number; a tombstone has the place from which it was gone.
    case registration = 1
    /// An installation, by its key.
    case installation = 2
    /// A scheduled notification, by its id.
    case schedule = 3
    /// The idempotency key of one, by its scope; with the time at which it was accepted.
    case scheduleKey = 4
    /// A cancelled notification, by its id.
    case cancelled = 5
    /// A device's key generation, by the device.
    case generation = 6
    /// The operators' settings; the key is empty.
    case settings = 7
    /// A bulk job, by its id.
    case job = 8
    /// A departure, by its number; with its time.
    case departure = 9

    package static func < (left: ItemKind, right: ItemKind) -> Bool {
        left.rawValue < right.rawValue
    }
}
