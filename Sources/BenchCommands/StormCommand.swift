import ArgumentParser
import HubBench

/// `belfry bench storm`.
struct StormCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storm",
        abstract: "All devices come back at once to a hub that was just started.",
        discussion: """
            Starts a hub in a process of its own, registers devices and lets them leave, sends what \
            they will have missed, kills the hub and starts it again, and lets all devices come \
            back at once. Lost, duplicated, misrouted and reordered deliveries are part of the \
            result and make it fail. Meanwhile sends go on over REST, and their latency is measured.

            Examples:
              belfry bench storm --devices 1000
              belfry bench storm --devices 10000 --backlog 2000 --json
            """
    )

    @Option(help: "Devices.")
    var devices = 1_000

    @Option(help: "Notifications while they are away: a tenth for all, most for no device.")
    var backlog = 500

    @Option(help: "About how many bytes a payload has.")
    var payload = 256

    @Option(help: "Connections that devices open at once; without it all.")
    var openings: Int?

    @Option(help: "Threads that play devices.")
    var loops = 2

    @Option(help: "Seconds to wait for all devices, and for all deliveries.")
    var patience = 300

    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchLimit.require("--devices", devices, 1...65_000)
        try BenchLimit.require("--backlog", backlog, 1...1_000_000)
        try BenchLimit.require("--payload", payload, 64...8_000)
        try BenchLimit.require("--openings", openings ?? 1, 1...65_000)
        try BenchLimit.require("--loops", loops, 1...64)
        try BenchLimit.require("--patience", patience, 1...86_400)
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        var options = StormBenchmark.Options()
        options.devices = devices
        options.backlog = backlog
        options.payloadBytes = payload
        options.openingsMax = openings
        options.loops = loops
        options.patience = .seconds(patience)
        options.seed = output.seed
        try runner.tell([try await runner.measure(StormBenchmark(options: options))])
    }
}
