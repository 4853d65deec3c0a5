import ArgumentParser
import HubBench
import HubClient

/// What sends to small audiences understand.
struct AudienceChoices: ParsableArguments {
    @Option(help: "Devices.")
    var devices = 10_000

    @Option(help: "Sends a second, whatever became of earlier ones; latency counts from then.")
    var rate: Double?

    @Option(
        help: "Sends of one request; above 1 they are lines of one, and the window counts sends."
    )
    var sendsPerRequest = 1

    @Option(help: "REST connections of the senders.")
    var connections = 64

    @Option(help: "Their protocol: 1.1 or 2.")
    var http = "1.1"

    @Option(help: "About how many bytes a payload has.")
    var payload = 256

    @Option(help: "Threads that play devices.")
    var loops = 2

    @Option(
        help: ArgumentHelp(
            "Milliseconds the devices' threads rest between looks at their sockets: the hub then "
                + "does not pay for waking them, and latencies mean little."
        )
    )
    var rest: UInt64 = 0

    func validate() throws {
        try BenchCommand.require("--devices", devices, 1...65_000)
        try BenchCommand.require(
            "--sends-per-request",
            sendsPerRequest,
            1...SenderClient.linesMax
        )
        try BenchCommand.require("--connections", connections, 1...10_000)
        try BenchCommand.require("--payload", payload, 64...8_000)
        try BenchCommand.require("--loops", loops, 1...64)
        try BenchCommand.require("--rate", rate: rate)
        guard RESTLoad.Version(rawValue: http) != nil else {
            throw ValidationError("--http must be 1.1 or 2.")
        }
    }

    func options(_ output: BenchOutput, notifications: Int) -> AudienceBenchmark.Options {
        var options = AudienceBenchmark.Options()
        options.devices = devices
        options.notifications = notifications
        options.rate = rate
        options.sendsPerRequest = sendsPerRequest
        options.connections = connections
        options.version = RESTLoad.Version(rawValue: http) ?? .http1
        options.payloadBytes = payload
        options.loops = loops
        options.restMilliseconds = rest
        options.seed = output.seed
        return options
    }
}

/// `belfry bench targeted`.
struct TargetedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "targeted",
        abstract: "Each send goes to one device, drawn by lot.",
        discussion: """
            Each device has a tag of its own. Every send is a request over REST, durable before it \
            is answered; a window of them is under way, each until its device has it. What a send \
            to nobody costs is measured beside it, so what a delivery adds can be told.

            Examples:
              belfry bench targeted --devices 1000 --notifications 10000
              belfry bench targeted --turns 3 --shards 1 --server-cpus 0 --loops 1 --rest 20
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
        try BenchCommand.require("--notifications", notifications, 1...10_000_000)
        try BenchCommand.require("--window", window, 1...100_000)
        try BenchCommand.require("--warmup", warmup, 1...1_000_000)
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        var options = choices.options(output, notifications: notifications)
        options.window = window
        options.warmup = warmup
        try runner.tell(try await runner.measure(AudienceBenchmark(options: options)))
    }
}

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
        try BenchCommand.require("--notifications", notifications, 1...10_000_000)
        try BenchCommand.require("--window", window, 1...100_000)
        try BenchCommand.require("--warmup", warmup, 1...1_000_000)
        try BenchCommand.require("--tags", tags, 1...1_000_000)
        try BenchCommand.require("--tags-per-device", tagsPerDevice, 1...60)
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        var options = choices.options(output, notifications: notifications)
        options.window = window
        options.warmup = warmup
        options.tags = tags
        options.tagsPerDevice = tagsPerDevice
        try runner.tell(try await runner.measure(AudienceBenchmark(options: options)))
    }
}
