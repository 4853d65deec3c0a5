/// One number that a turn measured.
package struct BenchReading: Equatable, Sendable {
    /// The name of the number; the same in every turn.
    package var name: String
    /// The unit, for people.
    package var unit: String
    /// Which way is better.
    package var aim: BenchAim
    /// The number.
    package var value: Double

    /// A reading of its parts.
    package init(_ name: String, _ value: Double, _ unit: String, _ aim: BenchAim) {
        self.name = name
        self.unit = unit
        self.aim = aim
        self.value = value
    }
}
