import HubVocabulary

/// A reading of the hub's clock at a moment of the device's monotonic clock.
///
/// Expiry is judged by it: a step of the device's wall clock, as when a device without a battery
/// clock learns the time, changes nothing about it. A sleep that the monotonic clock does not count
/// makes it slow until the next PONG, and a slow clock loses nothing.
struct HubClock: Equatable {
    /// Milliseconds since 1970 on the hub's clock.
    private let milliseconds: UInt64
    private let readAt: Instant

    /// The hub said `milliseconds` in what arrived at `readAt`.
    init(milliseconds: UInt64, readAt: Instant) {
        self.milliseconds = milliseconds
        self.readAt = readAt
    }

    /// The hub's time at a later moment, at most the largest number.
    func milliseconds(at instant: Instant) -> UInt64 {
        let elapsed = instant.since(readAt).wholeMilliseconds
        let (sum, overflow) = milliseconds.addingReportingOverflow(elapsed)
        return overflow ? .max : sum
    }
}
