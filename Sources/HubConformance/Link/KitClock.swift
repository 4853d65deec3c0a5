import Glibc

/// Time that only goes forward.
enum KitClock {
    /// Milliseconds since the machine started.
    static var milliseconds: Int {
        var time = timespec()
        // The call fills one value.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    /// Milliseconds since 1970.
    static var wallMilliseconds: Int {
        var time = timespec()
        // The call fills one value.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
