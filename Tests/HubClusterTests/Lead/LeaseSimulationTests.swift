import HubCluster
import Testing

@Suite("Nodes that lead in turn, simulated")
struct LeaseSimulationTests {
    @Test("no two believe to lead, no old leader commits, and calm brings one that stays")
    func seeds() {
        var terms: UInt64 = 0
        var commits = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            var world = LeaseWorld(seed: seed)
            world.run(for: 60_000)
            world.calm()
            world.run(for: 10_000)
            let (term, leader) = (world.term, world.believers)
            #expect(leader.count == 1, "seed \(seed)")
            world.run(for: 10_000)
            #expect(world.term == term && world.believers == leader, "seed \(seed)")
            #expect(world.violations == [], "seed \(seed)")
            terms += term
            commits += world.commits
        }
        #expect(terms > 1_000 && commits > 10_000, "\(terms) terms, \(commits) commits")
    }

    @Test("a leader that is killed is replaced within the lease and a second")
    func replaced() throws {
        for seed in 1...100 as ClosedRange<UInt64> {
            var world = LeaseWorld(seed: seed)
            world.calm()
            world.run(for: 10_000)
            let leader = try #require(world.believers.first)
            world.kill(leader)
            world.run(for: LeaseLimits().lease + 1_000)
            let next = try #require(world.believers.first, "seed \(seed)")
            let commits = world.commits
            world.run(for: 1_000)
            #expect(next != leader && world.commits > commits, "seed \(seed)")
        }
    }

    @Test("each planted mistake is noticed", arguments: LeaseMistake.allCases)
    func noticed(mistake: LeaseMistake) {
        let seed = (1...400 as ClosedRange<UInt64>).first { seed in
            var world = LeaseWorld(seed: seed, mistake: mistake)
            world.run(for: 60_000)
            guard world.violations.isEmpty else { return true }
            world.calm()
            world.run(for: 10_000)
            return world.believers.count != 1
        }
        #expect(seed != nil)
    }
}
