import HubSimulator
import HubVocabulary
import Testing

@Suite("Planted bugs")
struct PlantedBugTests {
    /// Seeds that are tried for each; a change of the workload moves the seed that notices.
    private static let patience: UInt64 = 300

    @Test("every mistake is noticed", arguments: PlantedBug.allCases)
    func notices(_ bug: PlantedBug) throws {
        try #require(PlantedBugs.areAvailable)
        let needed = (1...Self.patience).first { seed in
            !Simulation(seed: seed, steps: 1_000, bug: bug).run().violations.isEmpty
        }
        let seed = try #require(needed, "\(bug) is not noticed in \(Self.patience) seeds")
        print("  \(bug): \(seed) seeds")
        // Without the mistake the same seed is good: it was the mistake that was noticed.
        let outcome = Simulation(seed: seed, steps: 1_000).run()
        #expect(outcome.violations == [], "seed \(seed)")
    }

    @Test(
        "every mistake of the threads around the loops is noticed",
        arguments: WiringMistake.allCases
    )
    func noticesWiring(_ mistake: WiringMistake) throws {
        let needed = (1...Self.patience).first { seed in
            !Simulation(seed: seed, steps: 1_000, mistake: mistake).run().violations.isEmpty
        }
        let seed = try #require(needed, "\(mistake) is not noticed in \(Self.patience) seeds")
        print("  \(mistake): \(seed) seeds")
        let outcome = Simulation(seed: seed, steps: 1_000).run()
        #expect(outcome.violations == [], "seed \(seed)")
    }

    @Test("no mistake is made unless one is asked for")
    func noneByDefault() {
        #expect(CoreLimits.standard.planted == PlantedBugs())
        #expect(SessionLimits().planted == PlantedBugs(nil))
    }
}
