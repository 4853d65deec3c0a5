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
}
