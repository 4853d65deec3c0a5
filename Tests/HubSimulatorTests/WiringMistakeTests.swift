import HubSimulator
import Testing

@Suite("Mistakes around the loops")
struct WiringMistakeTests {
    /// Seeds that are tried for each; a change of the workload moves the seed that notices.
    private static let patience: UInt64 = 300
    /// Seeds that have noticed one that most miss; they are tried first.
    private static let sharp: [UInt64] = [46, 89]

    @Test("every mistake of threads and stores is noticed", arguments: WiringMistake.allCases)
    func notices(_ mistake: WiringMistake) throws {
        let nodes: NodeChoice = mistake.isOfNodes ? .several : .none
        let needed = (Self.sharp + Array(1...Self.patience)).first { seed in
            let run = Simulation(seed: seed, steps: 1_000, mistake: mistake, nodes: nodes)
            return !run.run().violations.isEmpty
        }
        let seed = try #require(needed, "\(mistake) is not noticed in \(Self.patience) seeds")
        print("  \(mistake): seed \(seed)")
        // Without the mistake the same seed is good: it was the mistake that was noticed.
        let outcome = Simulation(seed: seed, steps: 1_000, nodes: nodes).run()
        #expect(outcome.violations == [], "seed \(seed)")
    }
}
