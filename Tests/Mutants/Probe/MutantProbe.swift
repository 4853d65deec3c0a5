import Glibc
import HubSimulator
import LaneSimulator

/// Runs seeds until one notices a mistake; exit code 1 says that one did.
///
/// The first argument says how many seeds; behind it `lane` asks for the lane's simulator.
@main
enum MutantProbe {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let seeds = arguments.first.flatMap(UInt64.init) ?? 300
        let isOfLane = arguments.last == "lane"
        for seed in 1...seeds {
            guard let violation = isOfLane ? lane(seed) : hub(seed) else { continue }
            print("\(seed) seeds: \(violation)")
            exit(1)
        }
    }

    private static func hub(_ seed: UInt64) -> String? {
        Simulation(seed: seed, steps: 1_000).run().violations.first.map { "\($0)" }
    }

    private static func lane(_ seed: UInt64) -> String? {
        var simulation = LaneSimulation(seed: seed)
        simulation.run()
        return simulation.violations.first
    }
}
