import HubTestSupport
import Testing

/// Ends more leaders when `CYCLES=60 make nodes` asks for it.
@Suite(
    "Two nodes under load",
    .enabled(if: TemporaryPostgres.isInstalled),
    .timeLimit(.minutes(Rig.minutes(cycles: 3 * Rig.cycles)))
)
struct NodeKillTests {
    @Test("deliver once what was answered with 201, however leaders end")
    func cycles() async throws {
        let (seed, cycles) = (Rig.seed, max(3, Rig.cycles / 3))
        var random = SeededGenerator(seed: seed)
        let rig = try await NodeRig(seed: seed)
        var pauses: [NodeRig.End: [Duration]] = [:]
        for cycle in 0..<cycles {
            let end = NodeRig.End.allCases[cycle % NodeRig.End.allCases.count]
            let answers = Int.random(in: 3...30, using: &random)
            pauses[end, default: []].append(try await rig.cycle(end, answers: answers))
        }
        let journal = try await rig.finish()
        let counters = try await rig.acknowledgements(journal, sampled: 500)
        try await rig.end()
        let told = NodeRig.End.allCases.map { end in
            let all = (pauses[end] ?? []).sorted()
            let (median, longest) = (all[all.count / 2], all[all.count - 1])
            return "\(end) \(all.count), median \(median), longest \(longest)"
        }
        print(
            """
            two nodes under load, seed \(seed)
            leaders                 \(told.joined(separator: "; "))
            \(journal.table)
            counters                \(counters.checked) looked at, \(counters.faults.count) wrong
            """
        )
        #expect(journal.faults == [], "seed \(seed)")
        #expect(counters.faults == [], "seed \(seed)")
        #expect(journal.accepted.count >= 3 * cycles, "seed \(seed)")
    }
}
