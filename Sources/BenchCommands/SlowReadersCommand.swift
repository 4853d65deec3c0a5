import ArgumentParser
import HubBench

/// `belfry bench slow-readers`.
struct SlowReadersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slow-readers",
        abstract: "Some devices stop reading during a broadcast; the others must not notice.",
        discussion: """
            Phases in which all devices read alternate with phases in which some do not. \
            The healthy devices' times, the hub's memory and what the slow ones got in the end \
            are compared: a slow device catches up, or is told what it lost.

            Examples:
              belfry bench slow-readers --pairs 1 --notifications 200
              belfry bench slow-readers --devices 100 --slow 20 --rate 100 --json
            """
    )

    @Option(help: "Devices, the slow ones included.")
    var devices = 100

    @Option(help: "Of these, so many stop reading.")
    var slow = 20

    @Option(help: "Notifications in each phase.")
    var notifications = 1_000

    @Option(help: "Of these, so many are due a second.")
    var rate = 100.0

    @Option(help: "Phases of each kind.")
    var pairs = 3

    @Option(help: "About how many bytes a payload has.")
    var payload = 4_000

    @Option(help: "Notifications before the measured ones.")
    var warmup = 50

    @Option(help: "Threads that play the healthy devices.")
    var loops = 1

    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchLimit.require("--devices", devices, 2...65_000)
        try BenchLimit.require("--slow", slow, 1...(max(2, devices) - 1))
        try BenchLimit.require("--notifications", notifications, 1...1_000_000)
        try BenchLimit.require("--pairs", pairs, 1...1_000)
        try BenchLimit.require("--payload", payload, 64...8_000)
        try BenchLimit.require("--warmup", warmup, 1...100_000)
        try BenchLimit.require("--loops", loops, 1...64)
        try BenchLimit.require("--rate", rate: rate)
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        var options = SlowReadersBenchmark.Options()
        options.healthy = devices - slow
        options.slow = slow
        options.notifications = notifications
        options.rate = rate
        options.pairs = pairs
        options.payloadBytes = payload
        options.warmup = warmup
        options.loops = loops
        options.seed = output.seed
        try runner.tell([try await runner.measure(SlowReadersBenchmark(options: options))])
    }
}
