/// Makes notification ids in ascending order of time, however the clock steps.
///
/// UUIDv7: 48 bits of milliseconds, version 7, 12 random bits, variant, 62 random bits.
/// Id time is max(last + 1 ms, now). Source: rules A.8.
package struct NotificationIDMaker: Sendable {
    /// Time of the last id made; 0 before the first.
    package private(set) var last: Timestamp

    /// Goes on behind the newest id of the log; pass 0 for an empty log.
    package init(last: Timestamp = Timestamp(milliseconds: 0)) { self.last = last }

    /// The next id.
    package mutating func make(
        now: Timestamp,
        random: inout some RandomNumberGenerator
    ) -> NotificationID {
        let time = max(last.milliseconds + 1, now.milliseconds) & 0xFFFF_FFFF_FFFF
        last = Timestamp(milliseconds: time)
        let high = time << 16 | 0x7000 | random.next() & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.next() >> 2
        return NotificationID(high: high, low: low)
    }
}
