import Foundation
import Glibc
import HubSimulator
import Testing

/// Seeds of the campaign, and those that found something once and stay for good.
enum Seeds {
    /// `make simulate SEEDS=N` asks for more of them.
    static let campaign: Range<UInt64> = {
        let asked = ProcessInfo.processInfo.environment["SEEDS"].flatMap { UInt64($0) }
        return 1..<max(99, asked ?? 99) + 1
    }()
    /// With more steps than the campaign has.
    static let long: [UInt64] = [100_001, 100_002]
    /// In the first four the checks were wrong about a hub that was right; in the others the hub
    /// was wrong.
    static let found: [UInt64] = [
        4_095, 21_254, 40_060, 41_476, 673, 817, 916, 1_649, 2_712, 2_722, 3_239, 3_392, 6_507,
    ]
    /// A lead in doubt refused sessions that had fallen out of the feed, and a full mailbox lost that;
    /// registrations of a lost past beside a newer log passed for a copy of what was set back.
    static let foundWithNodes: [UInt64] = [3_711, 4_956, 10_866]
}

@Suite("Simulation")
struct SimulationTests {
    @Test("the same seed gives the same run", arguments: [1, 76, 4_711] as [UInt64])
    func replays(_ seed: UInt64) {
        let first = Simulation(seed: seed, steps: 600).run()
        let second = Simulation(seed: seed, steps: 600).run()
        #expect(first.traceHash == second.traceHash)
        #expect(first.steps == second.steps)
        let other = Simulation(seed: seed + 1, steps: 600).run()
        #expect(other.traceHash != first.traceHash)
    }

    @Test("whatever goes wrong, what was accepted arrives, or is known to be lost")
    func campaign() async {
        let campaign = await run(Seeds.campaign, steps: 1_000, in: 2)
        for failure in campaign.failures {
            Issue.record(
                "\(failure.violations), replay: belfry simulate --seed \(failure.seed) --trace"
            )
        }
        print(
            "\(campaign.seeds) seeds, \(campaign.steps) steps, \(Int(campaign.seconds)) simulated "
                + "seconds, \(campaign.records) notifications, \(campaign.deliveries) deliveries"
        )
        // Each seed leaves some faults out; together they have all of them.
        let least = max(1, campaign.seeds / 100)
        for kind in FaultKind.allCases {
            let count = campaign.faults[kind.rawValue]
            print("  \(kind.name): \(count)")
            #expect(count >= least, "\(kind.name) fired \(count) times")
        }
        for (name, count) in campaign.manySends.named {
            print("  \(name): \(count)")
            #expect(count >= least, "\(name): \(count)")
        }
        #expect(campaign.seeds == Seeds.campaign.count)
        #expect(campaign.steps >= 1_000 * campaign.seeds)
        print("  \(campaign.trimmed) notifications left the log")
        #expect(campaign.trimmed >= campaign.seeds / 5)
    }

    @Test("seeds that found something stay good", arguments: Seeds.found)
    func found(_ seed: UInt64) {
        let outcome = Simulation(seed: seed, steps: 1_000, nodes: .none).run()
        #expect(
            outcome.violations == [],
            "replay: belfry simulate --seed \(seed) --nodes none --trace"
        )
    }

    @Test("seeds of nodes that found something stay good", arguments: Seeds.foundWithNodes)
    func foundWithNodes(_ seed: UInt64) {
        let outcome = Simulation(seed: seed, steps: 1_000).run()
        #expect(outcome.violations == [], "replay: belfry simulate --seed \(seed) --trace")
    }

    @Test("long runs hold too", arguments: Seeds.long)
    func long(_ seed: UInt64) {
        let outcome = Simulation(seed: seed, steps: 10_000, nodes: .none).run()
        #expect(
            outcome.violations == [],
            "replay: belfry simulate --seed \(seed) --steps 10000 --trace"
        )
        #expect(outcome.deliveries > 100)
    }

    private func run(_ seeds: Range<UInt64>, steps: Int, in parts: UInt64) async -> Campaign {
        await withTaskGroup(of: Campaign.self) { group in
            for part in 0..<parts {
                group.addTask {
                    await Self.onThread {
                        var sum = Campaign()
                        for seed in seeds where seed % parts == part {
                            sum.add(Simulation(seed: seed, steps: steps).run())
                        }
                        return sum
                    }
                }
            }
            var sum = Campaign()
            for await part in group { sum.add(part) }
            return sum
        }
    }

    /// Works on a thread of its own behind everybody else: other tests have deadlines, and those that
    /// wait share the few threads of tasks.
    private static func onThread(_ work: @escaping @Sendable () -> Campaign) async -> Campaign {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                // Of this thread alone; nothing depends on it.
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                continuation.resume(returning: work())
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }
}
