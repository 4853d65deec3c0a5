import HubSimulator
import Testing

@Suite("Mistakes around the loops")
struct WiringMistakeTests {
    /// Seeds that are tried for each; a change of the workload moves the seed that notices.
    private static let patience: UInt64 = 300

    @Test("every mistake of threads and stores is noticed", arguments: WiringMistake.allCases)
    func notices(_ mistake: WiringMistake) throws {
        let needed = (1...Self.patience).first { seed in
            !Simulation(seed: seed, steps: 1_000, mistake: mistake).run().violations.isEmpty
        }
        let seed = try #require(needed, "\(mistake) is not noticed in \(Self.patience) seeds")
        print("  \(mistake): \(seed) seeds")
        // Without the mistake the same seed is good: it was the mistake that was noticed.
        let outcome = Simulation(seed: seed, steps: 1_000).run()
        #expect(outcome.violations == [], "seed \(seed)")
    }
}
