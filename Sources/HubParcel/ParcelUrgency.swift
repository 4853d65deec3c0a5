/// How eagerly a device should treat a notification; never reorders.
///
/// Source: Protocol/parcels.md.
package enum ParcelUrgency: UInt8, CaseIterable, Sendable {
    case veryLow = 0
    case low = 1
    case normal = 2
    case high = 3
}
