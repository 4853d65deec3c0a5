import Crypto

/// The 32 random bytes behind a hub's push handles and device keys; made once, kept with the hub.
///
/// Everything derived from it is an HMAC-SHA256 or HKDF-SHA256 over one unambiguous text:
///
///     label | hub length: u16 | hub: lower-case UTF-8 | device id: 16 | generation: u32
///
/// big-endian, the label being one of two fixed words of which neither begins the other.
/// Source: rules C.1, C.2.
package struct HubSecret: Sendable, CustomStringConvertible {
    /// Length of a secret.
    package static let byteCount = 32

    let key: SymmetricKey

    /// Takes the bytes; nil when they are not exactly 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// Never the bytes.
    package var description: String { "HubSecret" }

    static func text(
        label: String,
        hub: HubName,
        device: DeviceID,
        generation: UInt32
    ) -> [UInt8] {
        let name = Array(hub.description.utf8)
        var bytes = Array(label.utf8)
        bytes.appendBigEndian(UInt16(name.count))
        bytes += name
        bytes.appendBigEndian(device.high)
        bytes.appendBigEndian(device.low)
        bytes.appendBigEndian(generation)
        return bytes
    }
}

extension [UInt8] {
    /// Appends an integer, most significant byte first.
    mutating func appendBigEndian(_ value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}

extension UInt64 {
    /// Eight bytes from `start`, most significant first; traps when there are fewer.
    init(bigEndian bytes: some RandomAccessCollection<UInt8>) {
        self = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
