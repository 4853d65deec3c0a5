import ArgumentParser
import HubBench

/// `belfry bench segments`.
struct SegmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "segments",
        abstract: "Each device has some of many tags; sends go to one tag.",
        discussion: """
            With 10 of 1,000 tags each, a send to one tag reaches about one device in a hundred. \
            Every send is a request over REST, durable before it is answered.

            Examples:
              belfry bench segments --devices 1000 --notifications 500
              belfry bench segments --turns 3 --window 64 --json
            """
    )

    @Option(help: "Sends to measure.")
    var notifications = 2_000

    @Option(help: "Different tags.")
    var tags = 1_000

    @Option(help: "Tags of each device.")
    var tagsPerDevice = 10

    @Option(help: "Sends under way at once, from the request to the last receipt.")
    var window = 16

    @Option(help: "Sends before the measured ones.")
    var warmup = 100

    @OptionGroup var choices: AudienceChoices
    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchLimit.require("--notifications", notifications, 1...10_000_000)
        try BenchLimit.require("--window", window, 1...100_000)
        try BenchLimit.require("--warmup", warmup, 1...1_000_000)
        try BenchLimit.require("--tags", tags, 1...1_000_000)
        try BenchLimit.require("--tags-per-device", tagsPerDevice, 1...60)
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        var options = choices.options(output, notifications: notifications)
        options.window = window
        options.warmup = warmup
        options.tags = tags
        options.tagsPerDevice = tagsPerDevice
        try runner.tell([try await runner.measure(AudienceBenchmark(options: options))])
    }
}
