import ArgumentParser

/// The options of all benchmarks.
struct BenchOutput: ParsableArguments {
    @Option(help: "How often it is measured, each time with a fresh hub; medians count.")
    var turns = 1

    @Option(help: "Decides what is drawn by lot.")
    var seed: UInt64 = 1

    @Flag(help: "Prints the result as JSON, for programs and for 'bench compare'.")
    var json = false

    @Option(help: "Writes the result as one HTML file, with percentile curves.")
    var report: String?

    func validate() throws {
        guard (1...1_000).contains(turns) else {
            throw ValidationError("--turns must be 1 to 1000.")
        }
    }
}
