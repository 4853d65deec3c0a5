/// The results of one turn of a scenario.
package struct BenchTurn: Sendable {
    /// Numbers, in the order in which they are shown.
    package var readings: [BenchReading] = []
    /// Times.
    package var latencies: [LatencySample] = []
    /// The counts of deliveries.
    package var counts = DeliveryCounts()
    /// Other faults, as readable lines; any makes the run fail.
    package var faults: [String] = []

    /// Nothing yet.
    package init() {}

    /// Adds a number.
    package mutating func read(
        _ name: String,
        _ value: Double?,
        _ unit: String,
        _ aim: BenchAim
    ) {
        guard let value else { return }
        readings.append(BenchReading(name, value, unit, aim))
    }
}
