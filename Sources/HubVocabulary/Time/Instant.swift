/// A point of the monotonic clock, for deadlines; unrelated to wall-clock time.
package struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start.
    package var nanoseconds: UInt64

    /// Makes an instant of nanoseconds since the clock's start.
    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// This much later.
    package func adding(milliseconds: UInt64) -> Instant {
        Instant(nanoseconds: nanoseconds &+ milliseconds &* 1_000_000)
    }

    /// Whole milliseconds from `earlier` to here; 0 when `earlier` is not earlier.
    package func milliseconds(since earlier: Instant) -> UInt64 {
        nanoseconds > earlier.nanoseconds ? (nanoseconds - earlier.nanoseconds) / 1_000_000 : 0
    }

    /// The instant `duration` later, at most the last one; a negative duration counts as none.
    package static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    /// How long ago `earlier` was; zero when it was not earlier.
    package func since(_ earlier: Instant) -> Duration {
        nanoseconds > earlier.nanoseconds
            ? .nanoseconds(Int64(clamping: nanoseconds - earlier.nanoseconds)) : .zero
    }
}
