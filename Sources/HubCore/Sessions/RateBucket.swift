/// A token bucket without a clock of its own; costs 16 bytes.
struct RateBucket {
    private var millitokens: UInt64
    private var filled: Instant

    /// A full bucket.
    init(burst: UInt32, now: Instant) {
        millitokens = UInt64(burst) * 1_000
        filled = now
    }

    /// Takes `amount` tokens if they are there.
    mutating func take(
        _ amount: UInt32,
        perSecond: UInt32,
        burst: UInt32,
        now: Instant
    ) -> Bool {
        let elapsed = now.milliseconds(since: filled)
        if elapsed > 0 {
            let gained = min(elapsed, 1 << 32) * UInt64(perSecond)
            millitokens = min(millitokens + gained, UInt64(burst) * 1_000)
            filled = now
        }
        let needed = UInt64(amount) * 1_000
        guard millitokens >= needed else { return false }
        millitokens -= needed
        return true
    }
}
