import ArgumentParser
import Foundation
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
        try BenchCommand.require("--sends", sends, 1...100_000_000)
        try BenchCommand.require("--streams", streams, 1...100)
        try BenchCommand.require("--payload", payload, 64...8_000)
        try BenchCommand.require("--warmup", warmup, 1...1_000_000)
        try BenchCommand.require("--rate", rate: rate)
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
        try runner.tell(try await runner.measure(RESTBenchmark(options: options)))
    }
}

/// `belfry bench index`.
struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "The tag index alone: build, memory, edits, expressions.",
        discussion: """
            Tags are drawn with a chance that falls as 1 / rank. Every expression is also answered \
            by looking at one registration after another, and must be the same. At a million \
            registrations of ten of 100,000 tags the figures of a prototype in C, hybrid of arrays \
            and bitmaps, stand beside those of the run.

            Examples:
              belfry bench index
              belfry bench index --registrations 100000 --turns 3 --json
            """
    )

    @Option(help: "Registrations.")
    var registrations = 1_000_000

    @Option(help: "Different tags.")
    var tags = 100_000

    @Option(help: "Tags drawn for each registration.")
    var tagsPerRegistration = 10

    @Option(help: "Registrations that are removed and entered again.")
    var edits = 100_000

    @Option(help: "Batches of each expression, of which the middle one counts.")
    var batches = 15

    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchCommand.require("--registrations", registrations, 1...50_000_000)
        try BenchCommand.require("--tags", tags, 1...10_000_000)
        try BenchCommand.require("--tags-per-registration", tagsPerRegistration, 1...60)
        try BenchCommand.require("--edits", edits, 0...100_000_000)
        try BenchCommand.require("--batches", batches, 1...1_001)
    }

    func run() async throws {
        var options = IndexBenchmark.Options()
        options.registrations = registrations
        options.tags = tags
        options.tagsPerRegistration = tagsPerRegistration
        options.edits = edits
        options.batches = batches
        options.seed = output.seed
        let runner = BenchRunner(output: output)
        try runner.tell(runner.measure(IndexBenchmark(options: options)))
    }
}

/// `belfry bench all`.
struct BenchAllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "all",
        abstract: "Every scenario, one after another.",
        discussion: """
            With the sizes that each has by itself, but 10,000 devices for 'fanout' and 'storm'; \
            --quick takes small ones, for a look at everything in a few minutes.

            Examples:
              belfry bench all --quick --report bench.html
              belfry bench all --turns 3 --json > bench.json
            """
    )

    @Flag(help: "Small sizes.")
    var quick = false

    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        let suite = BenchSuite(isQuick: quick, seed: output.seed)
        var measured = BenchRunner.Measured()
        for scenario in suite.scenarios {
            measured.reports += try await runner.measure(scenario).reports
        }
        measured.reports += runner.measure(suite.index).reports
        try runner.tell(measured)
    }
}

/// `belfry bench compare`.
struct BenchCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Two results of --json, number by number; fails when the second is worse.",
        discussion: """
            Medians are compared; a number without an aim, such as a payload's size, is only \
            shown, and so are times unless --latencies is given. What the second lacks, and \
            deliveries that it lost, make it fail as well.

            Examples:
              belfry bench compare before.json after.json
              belfry bench compare before.json after.json --tolerance 0.05 --latencies --json
            """
    )

    @Argument(help: "The result to compare with.")
    var first: String

    @Argument(help: "The result to judge.")
    var second: String

    @Option(help: "How much worse a number may be: 0.1 is a tenth.")
    var tolerance = 0.1

    @Flag(help: "Judges p50 and p99 of times, too.")
    var latencies = false

    @Flag(help: "Prints the comparison as JSON.")
    var json = false

    func validate() throws {
        guard tolerance >= 0, tolerance <= 100 else {
            throw ValidationError("--tolerance must be 0 to 100.")
        }
    }

    func run() async throws {
        let comparison = BenchComparison(
            try Self.reports(first),
            try Self.reports(second),
            tolerance: tolerance,
            judgesLatencies: latencies
        )
        if json {
            try Terminal.json(comparison)
        } else {
            for line in comparison.lines { Terminal.line(line) }
        }
        if comparison.isWorse { throw Failure("'\(second)' is worse than '\(first)'") }
    }

    private static func reports(_ path: String) throws -> [BenchReport] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure("'\(path)' cannot be read")
        }
        do {
            return try BenchComparison.reports(json: Array(data))
        } catch {
            throw Failure("'\(path)' is no result of 'belfry bench --json'")
        }
    }
}
