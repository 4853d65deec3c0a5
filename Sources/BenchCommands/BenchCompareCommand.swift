import ArgumentParser
import CommandTerminal
import Foundation
import HubBench

/// `belfry bench compare`.
struct BenchCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Two results of --json, number by number; fails when the second is worse.",
        usage: "belfry bench compare <first> <second> [<options>]",
        discussion: """
            Medians are compared; a number without an aim, such as a payload's size, is only \
            shown, and so are times unless --latencies is given. What the second lacks, and \
            deliveries that it lost, make it fail as well.

            Examples:
              belfry bench compare before.json after.json
              belfry bench compare before.json after.json --tolerance 0.05 --latencies
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
