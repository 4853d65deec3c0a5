import ArgumentParser
import HubBench
import HubSender

/// The options of benchmarks that send to small audiences.
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
        try BenchLimit.require("--devices", devices, 1...65_000)
        try BenchLimit.require(
            "--sends-per-request",
            sendsPerRequest,
            1...SenderClient.linesMax
        )
        try BenchLimit.require("--connections", connections, 1...10_000)
        try BenchLimit.require("--payload", payload, 64...8_000)
        try BenchLimit.require("--loops", loops, 1...64)
        try BenchLimit.require("--rate", rate: rate)
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
