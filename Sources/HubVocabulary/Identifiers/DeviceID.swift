/// One device: 16 bytes, chosen by the hub, or derived from a client certificate.
///
/// All zero means "assign one" and never names a device. Source: rules C.1, C.2.
package struct DeviceID: Hashable, Comparable, Sendable {
    /// Bytes 0..7, big-endian.
    package var high: UInt64
    /// Bytes 8..15, big-endian.
    package var low: UInt64

    /// Makes an id of its two halves.
    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The id that asks for a new one.
    @inlinable
    package static var none: DeviceID { DeviceID(high: 0, low: 0) }

    @inlinable
    package static func == (left: DeviceID, right: DeviceID) -> Bool {
        left.high == right.high && left.low == right.low
    }

    @inlinable
    package static func < (left: DeviceID, right: DeviceID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
