package import ArgumentParser

/// `belfry bench`.
package struct BenchCommand: AsyncParsableCommand {
    /// Its words, and the scenarios below it.
    package static let configuration = CommandConfiguration(
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
            FanoutCommand.self, TargetedCommand.self, SegmentsCommand.self, IdleCommand.self,
            SlowReadersCommand.self, StormCommand.self, DrainCommand.self, RESTCommand.self,
            BenchAllCommand.self, BenchCompareCommand.self,
        ]
    )

    /// Without a scenario it does nothing.
    package init() {}
}
