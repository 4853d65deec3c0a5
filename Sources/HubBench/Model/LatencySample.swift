package import Histogram

/// Times of one kind, with three digits up to an hour.
package struct LatencySample: Sendable {
    /// The name of the time, which tells its two moments.
    package var name: String
    /// The times, in nanoseconds.
    package private(set) var histogram = Histogram<UInt64>(
        highestTrackableValue: LatencySample.nanosecondsMax
    )

    /// The longest time that is told from longer ones: an hour.
    package static let nanosecondsMax: UInt64 = 3_600_000_000_000

    /// An empty sample.
    package init(_ name: String) { self.name = name }

    /// Adds a time in nanoseconds; one above an hour counts as an hour.
    package mutating func record(nanoseconds: UInt64) {
        _ = histogram.record(min(nanoseconds, Self.nanosecondsMax))
    }

    /// Adds all times of another sample.
    package mutating func add(_ other: LatencySample) { histogram.add(other.histogram) }
}
