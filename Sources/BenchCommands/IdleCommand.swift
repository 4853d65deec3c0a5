import ArgumentParser
import HubBench

/// `belfry bench idle`.
struct IdleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle",
        abstract: "As many idle devices as there may be, then single notifications.",
        discussion: """
            Memory is the growth of the hub's own (anonymous, resident) memory for each device, \
            without the kernel's. The hub and the devices are two processes, each with its own \
            limit on open files; --devices 0 takes what this process's limit allows. Afterwards \
            single notifications are due at a rate, and are measured from the 201 to the receipt.

            Examples:
              belfry bench idle --devices 1000 --minutes 0.5
              belfry bench idle --devices 19000 --minutes 5 --tags 10 --records own
              belfry bench idle --devices 10000 --minutes 0.1 --singles 2000 --rate 100
            """
    )

    @Option(help: "Devices, 0 for as many as the limit on open files allows.")
    var devices = 10_000

    @Option(help: "Tags of each device; one is its own.")
    var tags = 1

    @Option(help: "Minutes in which nothing but keep-alives happens.")
    var minutes = 2.0

    @Option(help: "Seconds between keep-alives.")
    var keepAlive = 60

    @Option(help: "Notifications to single devices afterwards.")
    var singles = 500

    @Option(help: "Of these, so many are due a second.")
    var rate = 50.0

    @Option(help: "About how many bytes a payload has.")
    var payload = 256

    @Option(help: "Threads that play devices.")
    var loops = 2

    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchLimit.require("--devices", devices, 0...65_000)
        try BenchLimit.require("--tags", tags, 1...60)
        try BenchLimit.require("--keep-alive", keepAlive, 15...900)
        try BenchLimit.require("--singles", singles, 0...1_000_000)
        try BenchLimit.require("--payload", payload, 64...8_000)
        try BenchLimit.require("--loops", loops, 1...64)
        try BenchLimit.require("--rate", rate: rate)
        guard minutes >= 0, minutes <= 1_440 else {
            throw ValidationError("--minutes must be 0 to 1440.")
        }
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        var options = IdleBenchmark.Options()
        options.devices = devices > 0 ? devices : min(65_000, IdleBenchmark.devicesMax)
        options.tags = tags
        options.minutes = minutes
        options.keepAliveSeconds = UInt16(keepAlive)
        options.singles = singles
        options.rate = rate
        options.payloadBytes = payload
        options.loops = loops
        options.seed = output.seed
        try runner.tell([try await runner.measure(IdleBenchmark(options: options))])
    }
}
