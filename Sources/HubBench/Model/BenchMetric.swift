/// A number as the turns measured it.
package struct BenchMetric: Codable, Equatable, Sendable {
    /// The name of the number.
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

    /// Evaluates the values of the turns; there must be one at least.
    package init(name: String, unit: String, aim: BenchAim, values: [Double]) {
        precondition(!values.isEmpty, "a metric without values")
        let sorted = values.sorted()
        let middle = sorted.count / 2
        self.name = name
        self.unit = unit
        self.aim = aim
        self.values = values
        median =
            sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        least = sorted[0]
        most = sorted[sorted.count - 1]
    }
}
