import Testing

/// Case 100 of the relays' reference: crashes, refusals and silence in any order.
@Suite("Simulated lane")
struct LaneSimulationTests {
    @Test("whatever the faults, each match ends once, in order, and nothing is lost")
    func sound() {
        for seed in 0..<60 as Range<UInt64> {
            var simulation = LaneSimulation(seed: seed)
            simulation.run()
            let first = simulation.violations.prefix(3)
            #expect(first == [], "seed \(seed)")
        }
    }

    @Test("each mistake around the lane is noticed", arguments: HostMistake.allCases)
    func noticed(mistake: HostMistake) {
        let found = (0..<12 as Range<UInt64>).contains { seed in
            var simulation = LaneSimulation(seed: seed, mistake: mistake)
            simulation.run()
            return !simulation.violations.isEmpty
        }
        #expect(found, "\(mistake) was not noticed")
    }
}
