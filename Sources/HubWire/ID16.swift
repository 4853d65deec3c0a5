/// Sixteen raw bytes of the wire: a device id or a notification id.
public struct ID16: Hashable, Comparable, Sendable {
    /// Bytes 0 to 7, big-endian.
    public let high: UInt64
    /// Bytes 8 to 15, big-endian.
    public let low: UInt64

    /// An id from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Sixteen zero bytes: *none* where the protocol allows it.
    package static let zero = ID16(high: 0, low: 0)

    /// Takes the first sixteen bytes; traps when there are fewer.
    package init(_ bytes: Span<UInt8>) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<8 {
            high = high << 8 | UInt64(bytes[index])
            low = low << 8 | UInt64(bytes[index + 8])
        }
        self.init(high: high, low: low)
    }

    /// Appends the sixteen bytes.
    package func append(to bytes: inout [UInt8]) {
        bytes.appendInteger(high)
        bytes.appendInteger(low)
    }

    /// Orders as the bytes do.
    public static func < (left: ID16, right: ID16) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
