import ArgumentParser
import HubBench

/// `belfry bench index`.
struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "The tag index alone: build, memory, edits, expressions.",
        discussion: """
            Tags are drawn with a chance that falls as 1 / rank. Every expression is also answered \
            by looking at one registration after another, and must be the same. At a million \
            registrations of ten of 100,000 tags the figures of a prototype in C, hybrid of arrays \
            and bitmaps, stand beside those of the run.

            Examples:
              belfry bench index
              belfry bench index --registrations 100000 --turns 3 --json
            """
    )

    @Option(help: "Registrations.")
    var registrations = 1_000_000

    @Option(help: "Different tags.")
    var tags = 100_000

    @Option(help: "Tags drawn for each registration.")
    var tagsPerRegistration = 10

    @Option(help: "Registrations that are removed and entered again.")
    var edits = 100_000

    @Option(help: "Batches of each expression, of which the middle one counts.")
    var batches = 15

    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchCommand.require("--registrations", registrations, 1...50_000_000)
        try BenchCommand.require("--tags", tags, 1...10_000_000)
        try BenchCommand.require("--tags-per-registration", tagsPerRegistration, 1...60)
        try BenchCommand.require("--edits", edits, 0...100_000_000)
        try BenchCommand.require("--batches", batches, 1...1_001)
    }

    func run() async throws {
        var options = IndexBenchmark.Options()
        options.registrations = registrations
        options.tags = tags
        options.tagsPerRegistration = tagsPerRegistration
        options.edits = edits
        options.batches = batches
        options.seed = output.seed
        let runner = BenchRunner(output: output)
        try runner.tell(runner.measure(IndexBenchmark(options: options)))
    }
}
