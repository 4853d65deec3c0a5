import HubTestSupport
import Testing

@testable import ScenarioSupport

/// Kills more often when `CYCLES=100 make crash` asks for it.
@Suite("A hub that is killed under load", .timeLimit(.minutes(Rig.minutes(cycles: Rig.cycles))))
struct KilledHubTests {
    /// Notifications whose counters are looked at; more than that are sampled.
    private static let countersMax = 2_000

    @Test(
        "delivers everything that it answered with 201 exactly once, in order, and to nobody else"
    )
    func cycles() async throws {
        let seed = Rig.seed
        var random = SeededGenerator(seed: seed)
        let rig = try await KillRig(seed: seed)
        var slowest = Duration.zero
        for cycle in 0..<Rig.cycles {
            let answers = Int.random(in: 3...30, using: &random)
            let elapsed = try await rig.cycle(answers: answers, delivers: cycle.isMultiple(of: 2))
            slowest = max(slowest, elapsed)
        }
        let journal = try await rig.finish()
        let counters = try await rig.acknowledgements(journal, sampled: Self.countersMax)
        try await rig.end()
        print(
            """
            kill -9 of a hub under load, seed \(seed)
            cycles                  \(Rig.cycles), slowest start \(slowest)
            \(journal.table)
            counters                \(counters.checked) looked at, \(counters.faults.count) wrong
            """
        )
        #expect(journal.faults == [], "seed \(seed)")
        #expect(counters.faults == [], "seed \(seed)")
        #expect(journal.accepted.count >= Rig.cycles * 3, "seed \(seed)")
        #expect(journal.unanswered > 0, "no attempt was cut off; seed \(seed)")
    }
}
