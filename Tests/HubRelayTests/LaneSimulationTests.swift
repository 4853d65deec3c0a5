import Foundation
import LaneSimulator
import Testing

/// Crashes, refusals, silence, purges and orders to give up, in any order.
@Suite("Simulated lane")
struct LaneSimulationTests {
    /// `make simulate SEEDS=N` asks for more of them.
    private static let seeds =
        ProcessInfo.processInfo.environment["SEEDS"].flatMap { UInt64($0) } ?? 60

    @Test("100: whatever the faults, each match ends once, in order, and nothing is lost")
    func sound() {
        for seed in 0..<Self.seeds {
            var simulation = LaneSimulation(seed: seed)
            simulation.run()
            let first = simulation.violations.prefix(3)
            #expect(first == [], "seed \(seed)")
        }
    }

    @Test("100: each mistake around the lane is noticed", arguments: HostMistake.allCases)
    func noticed(mistake: HostMistake) {
        let found = (0..<60 as Range<UInt64>).contains { seed in
            var simulation = LaneSimulation(seed: seed, mistake: mistake)
            simulation.run()
            return !simulation.violations.isEmpty
        }
        #expect(found, "\(mistake) was not noticed")
    }
}
