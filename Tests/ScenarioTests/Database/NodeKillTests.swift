import HubTestSupport
import Testing

@testable import ScenarioSupport

/// Ends more leaders when `CYCLES=60 PROMOTE=20 make nodes` asks for it, and fails over more often.
///
/// `KILLS=60 PAUSE=60 make kills` kills nodes by the clock.
@Suite(
    "Two nodes under load",
    .enabled(if: TemporaryPostgres.isInstalled),
    .timeLimit(
        .minutes(Rig.minutes(cycles: 3 * Rig.cycles + 5 * Rig.promotions) + Rig.minutesOfKills)
    )
)
struct NodeKillTests {
    @Test("deliver once what was answered with 201, whenever a node is killed")
    func killed() async throws {
        let (seed, count) = (Rig.seed, max(1, Rig.kills))
        var random = SeededGenerator(seed: seed)
        let postgres = try TemporaryPostgres()
        let url = try postgres.newDatabase()
        let rig = try await NodeRig(seed: seed, on: url, throughFronts: true)
        try await rig.work(answers: 3, delivers: true)
        let start = ContinuousClock.now
        let leaders = try await rig.killNodes(count, secondsApart: Rig.pauseSeconds, &random)
        let elapsed = ContinuousClock.now - start
        try await rig.work(answers: 3, delivers: true)
        let journal = try await rig.finish()
        let counters = try await rig.acknowledgements(journal, sampled: 500)
        try await rig.end()
        print(
            """
            nodes killed \(Rig.pauseSeconds) s apart, seed \(seed), in \(elapsed)
            kill -9                 \(count), \(leaders) of them of the leader
            \(journal.table)
            counters                \(counters.checked) looked at, \(counters.faults.count) wrong
            """
        )
        #expect(journal.faults == [], "seed \(seed)")
        #expect(counters.faults == [], "seed \(seed)")
        #expect(journal.accepted.count >= count, "seed \(seed)")
    }

    @Test(
        "deliver once what was answered with 201, however leaders end",
        arguments: [false, true]
    )
    func cycles(throughFronts: Bool) async throws {
        // Where two nodes run, a third of the leaders end behind the other one.
        let (seed, cycles) = (Rig.seed, max(3, Rig.cycles * (throughFronts ? 1 : 2) / 9))
        var random = SeededGenerator(seed: seed)
        let postgres = try TemporaryPostgres()
        let url = try postgres.newDatabase()
        let rig = try await NodeRig(seed: seed, on: url, throughFronts: throughFronts)
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
            two nodes under load\(throughFronts ? ", through fronts" : ""), seed \(seed)
            leaders                 \(told.joined(separator: "; "))
            \(journal.table)
            counters                \(counters.checked) looked at, \(counters.faults.count) wrong
            """
        )
        #expect(journal.faults == [], "seed \(seed)")
        #expect(counters.faults == [], "seed \(seed)")
        #expect(journal.accepted.count >= 3 * cycles, "seed \(seed)")
    }

    @Test("deliver once what was answered with 201, however often PostgreSQL fails over")
    func promotions() async throws {
        let (seed, count) = (Rig.seed, Rig.promotions)
        var random = SeededGenerator(seed: seed)
        let pair = try PostgresPair()
        let rig = try await NodeRig(seed: seed, on: pair.url)
        // By whether commits wait for the next standby meanwhile.
        var pauses: [Bool: [Duration]] = [:]
        var leaders = 0
        for cycle in 0..<count {
            let answers = Int.random(in: 3...30, using: &random)
            try await rig.work(answers: answers, delivers: true)
            let isAlone = cycle.isMultiple(of: 2)
            let start = ContinuousClock.now
            try pair.failOver(alone: isAlone)
            if isAlone {
                // More than can have been under way before.
                try await rig.work(answers: 3, delivers: false)
                pauses[true, default: []].append(ContinuousClock.now - start)
                rig.load.rest()
                try pair.mend()
            } else {
                try pair.mend()
                // More than can have been under way before.
                try await rig.work(answers: 3, delivers: false)
                pauses[false, default: []].append(ContinuousClock.now - start)
            }
            if try await rig.mend() { leaders += 1 }
        }
        let journal = try await rig.finish()
        let counters = try await rig.acknowledgements(journal, sampled: 500)
        let doubts = rig.allDoubts
        try await rig.end()
        let told = pauses.map { isAlone, all in
            let (sorted, word) = (all.sorted(), isAlone ? "at once" : "with its standby")
            let (median, longest) = (sorted[sorted.count / 2], sorted[sorted.count - 1])
            return "\(word) \(sorted.count), median \(median), longest \(longest)"
        }
        print(
            """
            PostgreSQL failed over under load, seed \(seed)
            answered again          \(told.sorted().joined(separator: "; "))
            commits in doubt        \(doubts)
            leaders replaced        \(leaders)
            \(journal.table)
            counters                \(counters.checked) looked at, \(counters.faults.count) wrong
            """
        )
        #expect(journal.faults == [], "seed \(seed)")
        #expect(counters.faults == [], "seed \(seed)")
        #expect(journal.accepted.count >= 3 * count, "seed \(seed)")
    }
}
