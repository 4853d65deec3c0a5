/// One notification: a UUIDv7, so it carries the time at which it was accepted.
package struct NotificationID: Hashable, Sendable {
    /// Bytes 0..7, big-endian: 48 bits of milliseconds, version, 12 random bits.
    package var high: UInt64
    /// Bytes 8..15, big-endian: variant and 62 random bits.
    package var low: UInt64

    /// Makes an id of its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// When it was accepted.
    package var time: Timestamp { Timestamp(milliseconds: high >> 16) }

    /// The id's last four bytes, by which a position recognises the record at its sequence number.
    ///
    /// Source: rules B.1.
    package var check: UInt32 { UInt32(truncatingIfNeeded: low) }
}

extension NotificationID: Comparable {
    package static func < (left: NotificationID, right: NotificationID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
