import ArgumentParser
import DeviceEmulator
import Foundation
import HubClient

/// `belfry demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "A hub, six devices, breaking news: who receives what, and why it is right.",
        discussion: """
            Starts a hub in a folder of its own, connects six emulated devices with different \
            categories over TLS, sends over REST, and compares what each device received with \
            what it subscribed to. Exits 0 only when every device got exactly what it should.

            Examples:
              belfry demo
              belfry demo --json
            """
    )

    /// What can be played.
    enum Scenario: String, CaseIterable, ExpressibleByArgument {
        case breakingNews = "breaking-news"
    }

    @Option(help: "Which scenario is played.")
    var scenario = Scenario.breakingNews

    @Flag(help: "Prints the result as JSON.")
    var json = false

    func run() async throws {
        let isQuiet = json
        let note: @Sendable (String) -> Void = { if !isQuiet { Terminal.line($0) } }
        note("Starting a hub …")
        let hub = try ChildHub()
        defer { hub.stop() }
        let result: BreakingNewsResult
        do throws(BreakingNews.Failure) {
            result = try await BreakingNews(hub.connection, progress: note).run()
        } catch {
            throw Failure(error)
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            Terminal.line(String(decoding: try encoder.encode(result), as: UTF8.self))
        } else {
            Terminal.line("\n" + result.table)
        }
        guard result.isExact else {
            throw Failure("some device did not get exactly what it should")
        }
        note(Terminal.good("Every device got exactly what it should."))
    }
}
