/// Makes notification ids in ascending order, however the clock steps.
///
/// UUIDv7: 48 bits of milliseconds, version 7, a 12-bit counter, variant, 62 random bits.
/// The time is max(last, now); within a millisecond the counter ascends. Source: rules A.8.
package struct NotificationIDMaker: Sendable {
    /// The highest value of the counter behind the version.
    private static let counterMax: UInt64 = 0x0FFF

    /// Where a millisecond's counter starts at most: half its range is left for what follows.
    private static let firstCounterMax: UInt64 = counterMax / 2

    /// Time of the last id made, or of the id to go on behind; 0 before the first.
    package private(set) var last: Timestamp
    private var counter: UInt64

    /// Goes on behind the newest id of the log, or from the clock's time for an empty log.
    package init(after newest: NotificationID? = nil) {
        last = newest?.time ?? Timestamp(milliseconds: 0)
        counter = newest.map { $0.high & Self.counterMax } ?? Self.counterMax
    }

    /// The next id, above all earlier ones.
    package mutating func make(
        now: Timestamp,
        random: inout some RandomNumberGenerator
    ) -> NotificationID {
        let first = random.next() & Self.firstCounterMax
        if now > last {
            (last, counter) = (now, first)
        } else if counter < Self.counterMax {
            counter += 1
        } else {
            (last, counter) = (Timestamp(milliseconds: last.milliseconds + 1), first)
        }
        let high = (last.milliseconds & 0xFFFF_FFFF_FFFF) << 16 | 0x7000 | counter
        let low = 0x8000_0000_0000_0000 | random.next() >> 2
        return NotificationID(high: high, low: low)
    }
}
