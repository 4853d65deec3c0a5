import HubTestSupport
import Testing

@testable import ScenarioSupport

/// Parts more often when `CYCLES=60 make partitions` asks for it.
@Suite(
    "Two nodes that do not reach each other",
    .enabled(if: TemporaryPostgres.isInstalled && PartedNetwork.isPossible && Rig.wantsPartitions),
    .timeLimit(.minutes(5 + Rig.cycles))
)
struct NodePartitionTests {
    /// A shorter partition ends no lease, a longer one each that it reaches.
    private static let short = 4
    private static let long = 13

    @Test("deliver once what was answered with 201, whoever does not reach whom")
    func cycles() async throws {
        let (seed, cycles) = (Rig.seed, max(3, Rig.cycles))
        var random = SeededGenerator(seed: seed)
        let network = try PartedNetwork()
        let postgres = try TemporaryPostgres(["listen_addresses=*"])
        let url = try postgres.newDatabase(
            for: "10.98.0.0/16",
            at: PartedNetwork.Machine.database.rawValue
        )
        let rig = try await NodeRig(seed: seed, on: url, in: network)
        var lines: [String] = []
        for cycle in 0..<cycles {
            let all = NodeRig.Partition.allCases
            let partition = all[cycle % all.count]
            let ways = NodeRig.Ways.allCases[cycle / all.count % NodeRig.Ways.allCases.count]
            let seconds = Int.random(in: 1...30, using: &random)
            let outcome = try await rig.part(partition, ways, seconds: seconds)
            let line =
                "\(partition) \(ways) \(seconds) s: \(outcome.hasMoved ? "moved" : "stayed"), "
                + "again after \(outcome.pause)"
            lines.append(line)
            if let expected = Self.moves(partition, seconds: seconds) {
                #expect(outcome.hasMoved == expected, "seed \(seed), \(line)")
            }
        }
        let journal = try await rig.finish()
        let counters = try await rig.acknowledgements(journal, sampled: 500)
        try await rig.end()
        print(
            """
            two nodes that do not reach each other, seed \(seed)
            \(lines.joined(separator: "\n"))
            \(journal.table)
            counters                \(counters.checked) looked at, \(counters.faults.count) wrong
            """
        )
        #expect(journal.faults == [], "seed \(seed)")
        #expect(counters.faults == [], "seed \(seed)")
    }

    /// Whether the lead must move; nil where it may.
    private static func moves(_ partition: NodeRig.Partition, seconds: Int) -> Bool? {
        switch partition {
        case .leaderAndDatabase: seconds >= long ? true : seconds <= short ? false : nil
        case .bothAndDatabase: seconds <= short ? false : nil
        case .standbyAndDatabase, .leaderAndBalancer, .standbyAndBalancer, .bothNodes: false
        }
    }
}
