import ArgumentParser

/// The ranges of the options' numbers.
enum BenchLimit {
    /// Refuses a number outside of a range.
    static func require(_ option: String, _ value: Int, _ range: ClosedRange<Int>) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "\(option) must be \(range.lowerBound) to \(range.upperBound)."
            )
        }
    }

    /// Refuses a rate that is no number above zero.
    static func require(_ option: String, rate: Double?) throws {
        guard let rate else { return }
        guard rate.isFinite, rate > 0, rate <= 1_000_000 else {
            throw ValidationError("\(option) must be above 0 and at most 1000000.")
        }
    }
}
