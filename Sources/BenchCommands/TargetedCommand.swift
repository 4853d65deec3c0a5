import ArgumentParser
import HubBench

/// `belfry bench targeted`.
struct TargetedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "targeted",
        abstract: "Each send goes to one device, drawn by lot.",
        discussion: """
            Each device has a tag of its own. Every send is a request over REST, durable before it \
            is answered; a window of them is under way, each until its device has it. Sends that \
            match no device are measured beside it, so the report tells what a delivery adds.

            Examples:
              belfry bench targeted --devices 1000 --notifications 10000
              belfry bench targeted --turns 3 --shards 1 --server-cpus 0 --rest 20
              belfry bench targeted --rate 2000 --report targeted.html
              belfry bench targeted --sends-per-request 100
            """
    )

    @Option(help: "Sends to measure.")
    var notifications = 100_000

    @Option(help: "Sends under way at once, from the request to the last receipt.")
    var window = 1_000

    @Option(help: "Sends before the measured ones.")
    var warmup = 1_000

    @OptionGroup var choices: AudienceChoices
    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchLimit.require("--notifications", notifications, 1...10_000_000)
        try BenchLimit.require("--window", window, 1...100_000)
        try BenchLimit.require("--warmup", warmup, 1...1_000_000)
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        var options = choices.options(output, notifications: notifications)
        options.window = window
        options.warmup = warmup
        try runner.tell([try await runner.measure(AudienceBenchmark(options: options))])
    }
}
