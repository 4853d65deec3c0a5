package import HubTransport

/// A reading of the monotonic clock; unrelated to wall-clock time.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start.
    package var nanoseconds: UInt64

    /// Makes a reading of nanoseconds since the clock's start.
    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// Orders by time.
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The reading `duration` later; a negative duration counts as none.
    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return MonotonicTime(nanoseconds: overflow ? .max : sum)
    }

    /// How long ago `earlier` was; zero when it was not earlier.
    package func since(_ earlier: MonotonicTime) -> Duration {
        nanoseconds > earlier.nanoseconds
            ? .nanoseconds(Int64(clamping: nanoseconds - earlier.nanoseconds)) : .zero
    }
}

extension MonotonicTime {
    /// The clock's reading at this moment; the same clock that events are stamped with.
    package static var now: MonotonicTime { TurnTime.read().instant }
}

extension TurnTime {
    /// The monotonic reading of the turn.
    package var instant: MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }
}

extension Duration {
    /// Nanoseconds, with everything below zero as zero and everything too large as the largest.
    package var wholeNanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        let (product, overflow) = UInt64(components.seconds)
            .multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return .max }
        let (sum, carried) = product.addingReportingOverflow(
            UInt64(components.attoseconds / 1_000_000_000)
        )
        return carried ? .max : sum
    }

    /// Milliseconds, rounded down, with everything below zero as zero.
    package var wholeMilliseconds: UInt64 { wholeNanoseconds / 1_000_000 }
}
