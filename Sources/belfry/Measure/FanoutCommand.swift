import ArgumentParser
import HubBench

/// What sends to everybody understand.
struct FanoutChoices: ParsableArguments {
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

    func validate() throws {
        try BenchCommand.require("--payload", payload, 64...8_000)
        try BenchCommand.require("--gap", gap, 0...3_600_000)
        try BenchCommand.require("--warmup", warmup, 0...100_000)
        try BenchCommand.require("--loops", loops, 1...64)
        try BenchCommand.require("--rate", rate: rate)
    }

    func options(
        _ output: BenchOutput,
        devices: Int,
        notifications: Int,
        burst: Int
    ) -> FanoutBenchmark.Options {
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
        return options
    }

    static func validate(devices: Int, notifications: Int, burst: Int) throws {
        try BenchCommand.require("--devices", devices, 1...65_000)
        guard notifications > 0, burst > 0, notifications % burst == 0 else {
            throw ValidationError("--notifications must be a multiple of --burst.")
        }
    }
}

/// `belfry bench fanout`.
struct FanoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fanout",
        abstract: "Connects devices, sends to one tag, measures what arrives.",
        discussion: """
            Starts a hub in a process of its own unless --data names a running one. Lost, \
            duplicated and misrouted deliveries are part of the result and make it fail. CPU per \
            delivery is that of the hub's whole process, REST and store included. With \
            --compare-shards the turns alternate between one shard on CPU 0 and two on CPUs 0 and \
            1; the second report is the one with two.

            Examples:
              belfry bench fanout --devices 1000
              belfry bench fanout --devices 10000 --notifications 20 --gap 100 --json
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

    @OptionGroup var choices: FanoutChoices
    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        try FanoutChoices.validate(devices: devices, notifications: notifications, burst: burst)
        guard !compareShards || choices.data == nil else {
            throw ValidationError("--compare-shards starts hubs of its own, without --data.")
        }
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        guard !compareShards else { return try await runShards() }
        try runner.tell(try await runner.measure(scenario, data: choices.data))
    }

    private var scenario: FanoutBenchmark {
        FanoutBenchmark(
            options: choices.options(
                output,
                devices: devices,
                notifications: notifications,
                burst: burst
            )
        )
    }

    /// The same in turns, so that a machine whose speed drifts is fair to both.
    private func runShards() async throws {
        var kinds = [(shards: 1, cpus: "0"), (shards: 2, cpus: "0,1")].map { kind in
            var choice = hub.choice
            choice.shards = kind.shards
            choice.cpus = kind.cpus
            return (runner: BenchRunner(output: output, hub: choice), turns: [BenchTurn]())
        }
        for turn in 1...output.turns {
            for place in kinds.indices {
                let shards = kinds[place].runner.hub.shards
                let prefix = "\(shards) shards, turn \(turn) of \(output.turns): "
                kinds[place].turns.append(
                    try await kinds[place].runner.turn(scenario, prefix: prefix)
                )
            }
        }
        let reports = kinds.map { $0.runner.report(scenario, $0.turns) }
        if !output.json {
            let comparison = BenchComparison([reports[0]], [reports[1]], tolerance: 0.1)
            for line in comparison.lines { Terminal.line(line) }
        }
        try kinds[0].runner.tell(BenchRunner.Measured(reports: reports))
    }
}

/// `belfry bench burst`.
struct BurstCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst",
        abstract: "Many notifications at once to all devices, which get them in few records.",
        discussion: """
            As 'bench fanout' with --burst 64; the next burst waits until all have the last one, \
            unless --rate says when it is due.

            Examples:
              belfry bench burst
              belfry bench burst --devices 500 --notifications 640 --turns 3
            """
    )

    @Option(help: "Devices that subscribe to the tag.")
    var devices = 2_000

    @Option(help: "Notifications to measure.")
    var notifications = 640

    @Option(help: "Notifications sent at once.")
    var burst = 64

    @OptionGroup var choices: FanoutChoices
    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        try FanoutChoices.validate(devices: devices, notifications: notifications, burst: burst)
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        let options = choices.options(
            output,
            devices: devices,
            notifications: notifications,
            burst: burst
        )
        let scenario = FanoutBenchmark(name: "burst", options: options)
        try runner.tell(try await runner.measure(scenario, data: choices.data))
    }
}
