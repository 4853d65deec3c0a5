import HubVocabulary

/// Which devices a list shows; nil and empty parts mean all.
package struct DeviceFilter: Sendable {
    /// The first hex digits of their ids, as values from 0 to 15.
    package var prefix: [UInt8] = []
    /// Whether they have a session.
    package var isConnected: Bool?
    /// A tag that a registration of theirs has, in any spelling.
    package var tag: [UInt8]?

    /// Means all devices.
    package init() {}

    /// Whether a device's id begins as asked for.
    func hasPrefix(_ device: DeviceID) -> Bool {
        prefix.enumerated().allSatisfy { index, digit in
            let word = index < 16 ? device.high : device.low
            return UInt8(word >> UInt64(60 - 4 * (index % 16)) & 0xF) == digit
        }
    }
}
