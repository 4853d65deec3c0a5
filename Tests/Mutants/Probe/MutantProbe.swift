import Glibc
import HubSimulator

/// Runs seeds until one notices a mistake; exit code 1 says that one did.
@main
enum MutantProbe {
    static func main() {
        let seeds = CommandLine.arguments.dropFirst().first.flatMap(UInt64.init) ?? 300
        for seed in 1...seeds {
            guard let violation = Simulation(seed: seed, steps: 1_000).run().violations.first else {
                continue
            }
            print("\(seed) seeds: \(violation)")
            exit(1)
        }
    }
}
