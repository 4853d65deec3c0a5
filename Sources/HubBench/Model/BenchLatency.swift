import Histogram

/// Percentiles of times, in microseconds; of all turns together.
package struct BenchLatency: Codable, Equatable, Sendable {
    /// A point of the curve.
    package struct Point: Codable, Equatable, Sendable {
        /// So many of 100 are at most `microseconds`.
        package var percentile: Double
        /// The time.
        package var microseconds: Double
    }

    /// The name of the time, which tells its two moments.
    package var name: String
    /// How many times.
    package var count: UInt64
    /// The mean.
    package var mean: Double
    /// The middle.
    package var p50: Double
    /// 90 of 100 are at most this.
    package var p90: Double
    /// 99 of 100 are at most this.
    package var p99: Double
    /// 999 of 1,000 are at most this.
    package var p999: Double
    /// The longest.
    package var max: Double
    /// The curve, with more points the nearer 100 is.
    package var curve: [Point]

    /// Evaluates a sample.
    package init(_ sample: LatencySample) {
        let histogram = sample.histogram
        func at(_ percentile: Double) -> Double {
            Double(histogram.valueAtPercentile(percentile)) / 1_000
        }
        name = sample.name
        count = histogram.totalCount
        mean = histogram.totalCount > 0 ? histogram.mean / 1_000 : 0
        p50 = at(50)
        p90 = at(90)
        p99 = at(99)
        p999 = at(99.9)
        max = Double(histogram.max) / 1_000
        curve = []
        guard histogram.totalCount > 0 else { return }
        for step in histogram.percentiles(ticksPerHalfDistance: 4) {
            curve.append(
                Point(
                    percentile: step.percentileLevelIteratedTo,
                    microseconds: Double(step.value) / 1_000
                )
            )
        }
    }
}
