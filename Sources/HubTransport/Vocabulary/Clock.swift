import CLinux
import Glibc
package import HubVocabulary

/// The machine's clocks, read on the thread that asks.
package enum Clock {
    /// The present: CLOCK_MONOTONIC, and CLOCK_REALTIME, which may jump.
    package static var now: Now {
        var monotonic = timespec()
        var wall = timespec()
        // Both are values of this frame; these clocks exist on every kernel.
        unsafe clock_gettime(CLOCK_MONOTONIC, &monotonic)
        unsafe clock_gettime(CLOCK_REALTIME, &wall)
        let milliseconds = UInt64(wall.tv_sec) * 1_000 + UInt64(wall.tv_nsec) / 1_000_000
        return Now(
            instant: Instant(
                nanoseconds: UInt64(monotonic.tv_sec) * 1_000_000_000 + UInt64(monotonic.tv_nsec)
            ),
            time: Timestamp(milliseconds: milliseconds)
        )
    }

    /// Nanoseconds that the machine has been suspended since it started: what the monotonic clock
    /// leaves out.
    package static var suspension: UInt64 {
        var monotonic = timespec()
        var boot = timespec()
        // Both are values of this frame; these clocks exist on every kernel.
        unsafe clock_gettime(CLOCK_MONOTONIC, &monotonic)
        unsafe clock_gettime(CLOCK_BOOTTIME, &boot)
        let seconds = Int64(boot.tv_sec) - Int64(monotonic.tv_sec)
        let rest = Int64(boot.tv_nsec) - Int64(monotonic.tv_nsec)
        return UInt64(max(0, seconds * 1_000_000_000 + rest))
    }

    /// Whether the wall clock follows others; nil where the kernel does not tell.
    package static var isSynchronised: Bool? {
        let state = belfry_clock_is_synchronised()
        return state < 0 ? nil : state == 1
    }
}

extension Instant {
    /// A deadline, rounded up so that many connections share one wake-up.
    func deadline(in milliseconds: UInt64) -> UInt64 {
        let grain: UInt64 = 50_000_000
        let exact = nanoseconds + milliseconds * 1_000_000
        return (exact + grain - 1) / grain * grain
    }
}
