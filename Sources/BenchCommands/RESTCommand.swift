import ArgumentParser
import HubBench

/// `belfry bench rest`.
struct RESTCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rest",
        abstract: "Durable sends and installations over few and many connections.",
        discussion: """
            Each line is one protocol and one number of connections; one send in fifty goes to a \
            device that listens. With --rate requests are due at fixed moments, and latency counts \
            from then, so a hub that stands still is seen in all that came due meanwhile.

            Examples:
              belfry bench rest --sends 2000
              belfry bench rest --connections 1,16,64 --turns 3 --json
              belfry bench rest --connections 64 --rate 5000 --report rest.html
            """
    )

    @Option(help: "Sends of each line; a tenth over one connection, and of installations.")
    var sends = 20_000

    @Option(help: "How many connections each line has, separated by commas.")
    var connections = "1,16,64"

    @Option(help: "Requests at once on each HTTP/2 connection.")
    var streams = 4

    @Option(help: "Requests a second of each line; without it as many as can.")
    var rate: Double?

    @Option(help: "About how many bytes a payload has.")
    var payload = 256

    @Option(help: "Requests before each line.")
    var warmup = 200

    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchLimit.require("--sends", sends, 1...100_000_000)
        try BenchLimit.require("--streams", streams, 1...100)
        try BenchLimit.require("--payload", payload, 64...8_000)
        try BenchLimit.require("--warmup", warmup, 1...1_000_000)
        try BenchLimit.require("--rate", rate: rate)
        guard let numbers, !numbers.isEmpty, numbers.allSatisfy((1...10_000).contains) else {
            throw ValidationError("--connections must be numbers from 1 to 10000.")
        }
    }

    private var numbers: [Int]? {
        let numbers = connections.split(separator: ",").map { Int($0) }
        return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        var options = RESTBenchmark.Options()
        options.sends = sends
        options.connections = numbers ?? []
        options.streams = streams
        options.rate = rate
        options.payloadBytes = payload
        options.warmup = warmup
        options.seed = output.seed
        try runner.tell([try await runner.measure(RESTBenchmark(options: options))])
    }
}
