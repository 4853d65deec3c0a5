import HubCore
import HubSimulator
import Testing

@Suite("Planted bugs")
struct PlantedBugTests {
    /// Seeds from which on a mistake is noticed soon; 1 for the others.
    private static let seeds: [PlantedBug: UInt64] = [
        .collapseOfSentEntry: 90, .epochIgnored: 30, .collapseAcrossDevices: 20,
        .cursorMovedOnSend: 20,
    ]
    /// Seeds that are tried for each; a change of the workload moves the seed that notices.
    private static let patience: UInt64 = 300

    @Test("every mistake is noticed", arguments: PlantedBug.allCases)
    func notices(_ bug: PlantedBug) throws {
        try #require(PlantedBugs.areAvailable)
        let first = Self.seeds[bug] ?? 1
        let needed = (first..<first + Self.patience).first { seed in
            !Simulation(seed: seed, steps: 1_000, bug: bug).run().violations.isEmpty
        }
        let seed = try #require(needed, "\(bug) is not noticed in \(Self.patience) seeds")
        print("  \(bug): \(seed - first + 1) seeds from \(first)")
        // Without the mistake the same seed is good: it was the mistake that was noticed.
        let outcome = Simulation(seed: seed, steps: 1_000).run()
        #expect(outcome.violations == [], "seed \(seed)")
    }

    @Test("no mistake is made unless one is asked for")
    func noneByDefault() {
        #expect(CoreLimits.standard.planted == PlantedBugs())
        #expect(SessionLimits().planted == PlantedBugs(nil))
    }
}
