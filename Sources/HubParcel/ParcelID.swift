/// The id of a notification as the parcel carries it: a UUIDv7 in two big-endian halves.
package struct ParcelID: Hashable, Sendable {
    /// Bytes 0..7; the upper 48 bits are milliseconds since 1970.
    package var hi: UInt64
    /// Bytes 8..15.
    package var lo: UInt64

    /// Makes an id of its halves.
    package init(hi: UInt64, lo: UInt64) {
        self.hi = hi
        self.lo = lo
    }

    /// When the notification was accepted, in milliseconds since 1970.
    package var timestampMilliseconds: UInt64 { hi >> 16 }

    /// Reads the id of any parcel, even of one that is otherwise undecodable.
    ///
    /// Source: [P-2].
    ///
    /// Nil when there are fewer than 24 bytes.
    package init?(ofParcel bytes: Span<UInt8>) {
        guard bytes.count >= 24 else { return nil }
        var hi: UInt64 = 0
        var lo: UInt64 = 0
        for index in 8..<16 { hi = hi << 8 | UInt64(bytes[index]) }
        for index in 16..<24 { lo = lo << 8 | UInt64(bytes[index]) }
        self.init(hi: hi, lo: lo)
    }
}
