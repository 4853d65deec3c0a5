import ArgumentParser
import HubBench

/// `belfry bench all`.
struct BenchAllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "all",
        abstract: "Every scenario, one after another.",
        usage: "belfry bench all [<options>]",
        discussion: """
            With the sizes that each has by itself, but 10,000 devices for 'fanout' and 'storm'; \
            --quick takes small ones, for a look at everything in a few minutes.

            Examples:
              belfry bench all --quick --report bench.html
              belfry bench all --turns 3 --json > bench.json
            """
    )

    @Flag(help: "Small sizes.")
    var quick = false

    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        let suite = BenchSuite(isQuick: quick, seed: output.seed)
        var reports: [BenchReport] = []
        for scenario in suite.scenarios { reports.append(try await runner.measure(scenario)) }
        try runner.tell(reports)
    }
}
