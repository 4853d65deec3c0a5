import ArgumentParser
import HubBench

/// `belfry bench`.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures a hub, and verifies while it measures.",
        discussion: """
            Each scenario starts a hub in a process of its own, counts every delivery, and fails \
            when one is lost, comes twice or comes to the wrong device. CPU is user and system \
            time of the hub's whole process, REST and store included.

            Examples:
              belfry bench fanout --devices 1000
              belfry bench all --quick --report bench.html
              belfry bench targeted --turns 3 --json > before.json
              belfry bench compare before.json after.json --tolerance 0.1
              belfry help bench targeted
            """,
        subcommands: [
            FanoutCommand.self, BurstCommand.self, TargetedCommand.self, SegmentsCommand.self,
            IdleCommand.self, SlowReadersCommand.self, StormCommand.self, RESTCommand.self,
            IndexCommand.self, BenchAllCommand.self, BenchCompareCommand.self,
        ]
    )

    /// What a number of an option must be within.
    static func require(_ option: String, _ value: Int, _ range: ClosedRange<Int>) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "\(option) must be \(range.lowerBound) to \(range.upperBound)."
            )
        }
    }

    /// A rate is a number above zero.
    static func require(_ option: String, rate: Double?) throws {
        guard let rate else { return }
        guard rate.isFinite, rate > 0, rate <= 1_000_000 else {
            throw ValidationError("\(option) must be above 0 and at most 1000000.")
        }
    }
}
