import Glibc

/// The time of a turn of the loop, read once at its start.
package struct TurnTime: Hashable, Sendable {
    /// Nanoseconds of CLOCK_MONOTONIC.
    package let nanoseconds: UInt64
    /// Milliseconds since 1970 of CLOCK_REALTIME; may jump.
    package let wallMilliseconds: UInt64

    /// A time from its two readings.
    package init(nanoseconds: UInt64, wallMilliseconds: UInt64) {
        self.nanoseconds = nanoseconds
        self.wallMilliseconds = wallMilliseconds
    }
}

extension TurnTime {
    /// Nanoseconds that the machine has been suspended since it started: what the monotonic clock
    /// leaves out.
    package static func readSuspension() -> UInt64 {
        var monotonic = timespec()
        var boot = timespec()
        // Both are values of this frame; these clocks exist on every kernel.
        unsafe clock_gettime(CLOCK_MONOTONIC, &monotonic)
        unsafe clock_gettime(CLOCK_BOOTTIME, &boot)
        let seconds = Int64(boot.tv_sec) - Int64(monotonic.tv_sec)
        let rest = Int64(boot.tv_nsec) - Int64(monotonic.tv_nsec)
        return UInt64(max(0, seconds * 1_000_000_000 + rest))
    }

    /// Reads both clocks.
    package static func read() -> TurnTime {
        var monotonic = timespec()
        var wall = timespec()
        // Both are values of this frame; these clocks exist on every kernel.
        unsafe clock_gettime(CLOCK_MONOTONIC, &monotonic)
        unsafe clock_gettime(CLOCK_REALTIME, &wall)
        return TurnTime(
            nanoseconds: UInt64(monotonic.tv_sec) * 1_000_000_000 + UInt64(monotonic.tv_nsec),
            wallMilliseconds: UInt64(wall.tv_sec) * 1_000 + UInt64(wall.tv_nsec) / 1_000_000
        )
    }
}

extension TurnTime {
    /// A deadline, rounded up so that many connections share one wake-up.
    func deadline(in milliseconds: UInt64) -> UInt64 {
        let grain: UInt64 = 50_000_000
        let exact = nanoseconds + milliseconds * 1_000_000
        return (exact + grain - 1) / grain * grain
    }
}
