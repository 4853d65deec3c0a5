/// One scheduled notification: 16 bytes in the form of a UUIDv7 that carry the time of its making.
package struct ScheduleID: Hashable, Comparable, Sendable {
    /// Bytes 0..7, big-endian: 48 bits of milliseconds, version, 12 random bits.
    package var high: UInt64
    /// Bytes 8..15, big-endian: variant and 62 random bits.
    package var low: UInt64

    /// Makes an id of its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns a new id that a client cannot guess; its first six bytes are the time.
    package static func make(now: Timestamp, random: inout some RandomNumberGenerator) -> ScheduleID
    {
        let time = now.milliseconds & 0xFFFF_FFFF_FFFF
        return ScheduleID(
            high: time << 16 | 0x7000 | random.next() & 0x0FFF,
            low: 0x8000_0000_0000_0000 | random.next() >> 2
        )
    }

    /// When it was scheduled.
    package var time: Timestamp { Timestamp(milliseconds: high >> 16) }

    /// 32 lower-case hex digits: how REST names it.
    package var text: String { NotificationID(high: high, low: low).text }

    /// Reads 32 hex digits in either case; nil when the text is anything else.
    package init?(text: String) {
        guard let id = NotificationID(text: text) else { return nil }
        self.init(high: id.high, low: id.low)
    }

    package static func < (left: ScheduleID, right: ScheduleID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
