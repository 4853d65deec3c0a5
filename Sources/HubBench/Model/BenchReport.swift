import Histogram

/// Where and with what a report was made.
package struct BenchEnvironment: Codable, Equatable, Sendable {
    /// The commit of the source tree in which the program lies; nil where there is none.
    package var commit: String?
    /// The processor's name.
    package var processor: String
    /// How many processors there are.
    package var processors: Int
    /// The kernel's release.
    package var kernel: String
    /// Who seals TLS records of the device link: `openssl` or `own`.
    package var records: String
    /// How many writes are given to the kernel: `ring` or `send`.
    package var submission: String
    /// Whether it is a release build.
    package var isOptimized: Bool
    /// How many processes were ready to run at the beginning, on average over a minute.
    package var load: Double?
    /// When it began, RFC 3339 in UTC.
    package var time: String

    /// An environment of its parts.
    package init(
        commit: String?,
        processor: String,
        processors: Int,
        kernel: String,
        records: String,
        submission: String,
        isOptimized: Bool,
        load: Double?,
        time: String
    ) {
        self.commit = commit
        self.processor = processor
        self.processors = processors
        self.kernel = kernel
        self.records = records
        self.submission = submission
        self.isOptimized = isOptimized
        self.load = load
        self.time = time
    }
}

/// A number as the turns measured it.
package struct BenchMetric: Codable, Equatable, Sendable {
    /// What was measured.
    package var name: String
    /// The unit, for people.
    package var unit: String
    /// Which way is better.
    package var aim: BenchAim
    /// The middle of the turns; of an even number, of the middle two the mean.
    package var median: Double
    /// The lowest.
    package var least: Double
    /// The highest.
    package var most: Double
    /// Every turn's, in order.
    package var values: [Double]
    /// A figure to compare with.
    package var reference: Double?

    /// Evaluates the values of the turns; there must be one at least.
    package init(
        name: String,
        unit: String,
        aim: BenchAim,
        values: [Double],
        reference: Double? = nil
    ) {
        precondition(!values.isEmpty, "a metric without values")
        let sorted = values.sorted()
        let middle = sorted.count / 2
        self.name = name
        self.unit = unit
        self.aim = aim
        self.values = values
        self.reference = reference
        median =
            sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        least = sorted[0]
        most = sorted[sorted.count - 1]
    }

    /// Median divided by the figure to compare with.
    package var ratio: Double? {
        reference.flatMap { $0 > 0 ? median / $0 : nil }
    }
}

/// Percentiles of times, in microseconds; of all turns together.
package struct BenchLatency: Codable, Equatable, Sendable {
    /// A point of the curve.
    package struct Point: Codable, Equatable, Sendable {
        /// So many of 100 are at most `microseconds`.
        package var percentile: Double
        /// The time.
        package var microseconds: Double
    }

    /// What lies between the two moments.
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

/// What a scenario measured, with everything that is needed to read it and to measure it again.
package struct BenchReport: Codable, Equatable, Sendable {
    /// The scenario's name, as on the command line.
    package var scenario: String
    /// What it was told, by the option's name.
    package var settings: [String: String]
    /// Where it ran.
    package var environment: BenchEnvironment
    /// How often it ran.
    package var turns: Int
    /// Numbers.
    package var metrics: [BenchMetric]
    /// Times.
    package var latencies: [BenchLatency]
    /// What became of deliveries in all turns.
    package var counts: DeliveryCounts
    /// What went wrong.
    package var faults: [String]

    /// Puts the turns of a run together; numbers that not every turn has keep those that there are.
    package init(
        scenario: String,
        settings: [String: String],
        environment: BenchEnvironment,
        turns: [BenchTurn]
    ) {
        self.scenario = scenario
        self.settings = settings
        self.environment = environment
        self.turns = turns.count
        metrics = Self.metrics(turns)
        latencies = Self.latencies(turns)
        counts = turns.reduce(into: DeliveryCounts()) { $0.add($1.counts) }
        faults = turns.flatMap(\.faults)
    }

    /// Whether nothing was lost, doubled, misrouted or refused, and nothing else went wrong.
    package var isExact: Bool { counts.isExact && faults.isEmpty }

    private static func metrics(_ turns: [BenchTurn]) -> [BenchMetric] {
        var order: [BenchReading] = []
        var values: [String: [Double]] = [:]
        for reading in turns.flatMap(\.readings) {
            if values[reading.name] == nil { order.append(reading) }
            values[reading.name, default: []].append(reading.value)
        }
        return order.map { first in
            BenchMetric(
                name: first.name,
                unit: first.unit,
                aim: first.aim,
                values: values[first.name] ?? [first.value],
                reference: first.reference
            )
        }
    }

    private static func latencies(_ turns: [BenchTurn]) -> [BenchLatency] {
        var merged: [LatencySample] = []
        for sample in turns.flatMap(\.latencies) {
            if let known = merged.firstIndex(where: { $0.name == sample.name }) {
                merged[known].add(sample)
            } else {
                merged.append(sample)
            }
        }
        return merged.map(BenchLatency.init)
    }
}
