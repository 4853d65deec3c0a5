import ArgumentParser
import HubBench

/// `belfry bench fanout`.
struct FanoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fanout",
        abstract: "Connects devices, sends to one tag, measures what arrives.",
        discussion: """
            Starts a hub in a process of its own unless --data names a running one. Lost, \
            duplicated and misrouted deliveries are part of the result and make it fail. CPU per \
            delivery is that of the hub's whole process, REST and store included. With --burst \
            many notifications go out at once, and devices get them in few records. With \
            --compare-shards the turns alternate between one shard on CPU 0 and two on CPUs 0 and \
            1; the second report is the one with two.

            Examples:
              belfry bench fanout --devices 1000
              belfry bench fanout --devices 10000 --notifications 20 --gap 100 --json
              belfry bench fanout --devices 2000 --notifications 640 --burst 64
              belfry bench fanout --devices 10000 --rate 2 --turns 3 --report fanout.html
              belfry bench fanout --devices 5000 --compare-shards --turns 3
            """
    )

    @Option(help: "Devices that subscribe to the tag.")
    var devices = 1_000

    @Option(help: "Notifications to measure.")
    var notifications = 20

    @Option(help: "Notifications sent at once.")
    var burst = 1

    @Flag(help: "Measures one shard on one CPU beside two shards on two.")
    var compareShards = false

    @Option(help: "The data folder of a running hub; without it one is started.")
    var data: String?

    @Option(help: "About how many bytes a payload has.")
    var payload = 256

    @Option(help: "The tag.")
    var tag = "bench"

    @Option(help: "Bursts a second, whether the last one has arrived or not.")
    var rate: Double?

    @Option(help: "Milliseconds between bursts.")
    var gap = 0

    @Option(help: "Bursts before the measured ones.")
    var warmup = 3

    @Option(help: "Threads that play devices.")
    var loops = 2

    @Option(
        help: ArgumentHelp(
            "Milliseconds the devices' threads rest between looks at their sockets: the hub then "
                + "does not pay for waking them, and latencies mean nothing."
        )
    )
    var rest: UInt64 = 0

    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchLimit.require("--devices", devices, 1...65_000)
        try BenchLimit.require("--payload", payload, 64...8_000)
        try BenchLimit.require("--gap", gap, 0...3_600_000)
        try BenchLimit.require("--warmup", warmup, 0...100_000)
        try BenchLimit.require("--loops", loops, 1...64)
        try BenchLimit.require("--rate", rate: rate)
        guard notifications > 0, burst > 0, notifications % burst == 0 else {
            throw ValidationError("--notifications must be a multiple of --burst.")
        }
        guard !compareShards || data == nil else {
            throw ValidationError("--compare-shards starts hubs of its own, without --data.")
        }
        guard !compareShards || hub.shards == 0 && hub.serverCpus == nil else {
            throw ValidationError(
                "--compare-shards chooses them itself, without --shards and --server-cpus."
            )
        }
        guard data == nil || !hub.isChosen else {
            throw ValidationError(
                "--data names a hub that runs: it takes no --shards, --server-cpus, --records "
                    + "and --submission."
            )
        }
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        let reports =
            compareShards
            ? try await runner.comparingShards(scenario)
            : [try await runner.measure(scenario, data: data)]
        try runner.tell(reports)
    }

    private var scenario: FanoutBenchmark {
        var options = FanoutBenchmark.Options()
        options.devices = devices
        options.notifications = notifications
        options.burst = burst
        options.payloadBytes = payload
        options.tag = tag
        options.rate = rate
        options.gap = .milliseconds(gap)
        options.warmup = warmup
        options.loops = loops
        options.restMilliseconds = rest
        options.seed = output.seed
        return FanoutBenchmark(options: options)
    }
}
