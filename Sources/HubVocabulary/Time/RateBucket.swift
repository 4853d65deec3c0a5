/// A token bucket without a clock of its own, in eight bytes.
///
/// Time is counted in milliseconds and comes round after 49 days. A bucket that was not used for so
/// long may miss some tokens that were there again.
package struct RateBucket: Sendable {
    /// The largest burst; a larger one counts as this.
    package static let burstMax: UInt32 = .max / 1_000

    /// Thousandths of tokens that were taken and have not come back.
    private var missing: UInt32 = 0
    private var milliseconds: UInt32

    /// A full bucket.
    package init(now: Instant) { milliseconds = Self.milliseconds(now) }

    /// Takes `amount` tokens if they are there.
    package mutating func take(
        _ amount: UInt32,
        perSecond: UInt32,
        burst: UInt32,
        now: Instant
    ) -> Bool {
        let present = Self.milliseconds(now)
        let gained = UInt64(present &- milliseconds) * UInt64(perSecond)
        milliseconds = present
        missing -= UInt32(min(gained, UInt64(missing)))
        let needed = UInt64(missing) + UInt64(amount) * 1_000
        guard needed <= UInt64(min(burst, Self.burstMax)) * 1_000 else { return false }
        missing = UInt32(needed)
        return true
    }

    /// Whether all tokens are there, so that a new bucket would say the same.
    package func isFull(perSecond: UInt32, now: Instant) -> Bool {
        let gained = UInt64(Self.milliseconds(now) &- milliseconds) * UInt64(perSecond)
        return gained >= UInt64(missing)
    }

    private static func milliseconds(_ now: Instant) -> UInt32 {
        UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000)
    }
}
