/// A scenario's results, with everything that is needed to read them and to measure them again.
package struct BenchReport: Codable, Equatable, Sendable {
    /// The scenario's name, as on the command line.
    package var scenario: String
    /// The scenario's settings, by the option's name.
    package var settings: [String: String]
    /// Where it ran.
    package var environment: BenchEnvironment
    /// How often it ran.
    package var turns: Int
    /// Numbers.
    package var metrics: [BenchMetric]
    /// Times.
    package var latencies: [BenchLatency]
    /// The counts of deliveries in all turns.
    package var counts: DeliveryCounts
    /// The faults of all turns, as readable lines.
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
                values: values[first.name] ?? [first.value]
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
