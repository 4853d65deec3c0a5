/// How long something took, many times: counts in fixed buckets, and the sum.
///
/// Counting neither allocates nor divides.
package struct LatencyHistogram: Sendable, Equatable {
    /// The upper ends of the buckets in nanoseconds, ascending; one more bucket has no end.
    ///
    /// From 0.1 ms to 10 s, three in each power of ten.
    package static let ends: [UInt64] = [
        100_000, 250_000, 500_000,
        1_000_000, 2_500_000, 5_000_000,
        10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000,
        10_000_000_000,
    ]

    /// How often it took so long, by bucket; a time at an end belongs below it.
    package private(set) var counts = [UInt64](repeating: 0, count: LatencyHistogram.ends.count + 1)
    /// All times together.
    package private(set) var nanoseconds: UInt64 = 0

    /// Nothing was counted.
    package init() {}

    /// How often anything was counted.
    package var count: UInt64 { counts.reduce(0, +) }

    /// Something took from `start` to `end`, so many times; no time when `start` is later.
    package mutating func add(from start: Instant, to end: Instant, times: UInt64 = 1) {
        let took = end.nanoseconds - min(start.nanoseconds, end.nanoseconds)
        var bucket = 0
        while bucket < Self.ends.count, took > Self.ends[bucket] { bucket += 1 }
        counts[bucket] &+= times
        nanoseconds &+= took &* times
    }

    /// Adds another's counts.
    package mutating func add(_ other: LatencyHistogram) {
        for bucket in counts.indices { counts[bucket] &+= other.counts[bucket] }
        nanoseconds &+= other.nanoseconds
    }

    /// The counts since an earlier reading of the same histogram; all when that has more.
    package func since(_ earlier: LatencyHistogram) -> LatencyHistogram {
        guard nanoseconds >= earlier.nanoseconds,
            zip(counts, earlier.counts).allSatisfy({ $0 >= $1 })
        else { return self }
        var rest = self
        for bucket in counts.indices { rest.counts[bucket] -= earlier.counts[bucket] }
        rest.nanoseconds -= earlier.nanoseconds
        return rest
    }

    /// The milliseconds within which a share of all stayed, as Prometheus guesses it: evenly spread
    /// within the bucket, and the last end for what is above it; nil when nothing was counted.
    package func milliseconds(within share: Double) -> Double? {
        let count = count
        guard count > 0 else { return nil }
        let rank = share * Double(count)
        var below: UInt64 = 0
        for (bucket, inside) in counts.enumerated() {
            if inside > 0, Double(below + inside) >= rank {
                guard bucket < Self.ends.count else { break }
                let start = bucket == 0 ? 0 : Double(Self.ends[bucket - 1])
                let part = max(0, rank - Double(below)) / Double(inside)
                return (start + part * (Double(Self.ends[bucket]) - start)) / 1e6
            }
            below += inside
        }
        return Self.ends.last.map { Double($0) / 1e6 }
    }
}
