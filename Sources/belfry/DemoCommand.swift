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

            With --people the file says who takes part: a JSON array of objects with name, \
            platform, subscribes, first, second (what must arrive in each round) and switchesOff. \
            --show-people prints those of the demo, to begin with.

            Examples:
              belfry demo
              belfry demo --json
              belfry demo --show-people > people.json
              belfry demo --people people.json
            """
    )

    /// What can be played.
    enum Scenario: String, CaseIterable, ExpressibleByArgument {
        case breakingNews = "breaking-news"
    }

    @Option(help: "Which scenario is played.")
    var scenario = Scenario.breakingNews

    @Option(help: "A JSON file that says who takes part.")
    var people: String?

    @Flag(help: "Prints who takes part, as JSON, and ends.")
    var showPeople = false

    @Option(help: "Seconds to wait for subscriptions, and for what must arrive in a round.")
    var patience = 15

    @Flag(help: "Prints the result as JSON.")
    var json = false

    func validate() throws {
        guard (1...600).contains(patience) else {
            throw ValidationError("--patience must be 1 to 600.")
        }
    }

    func run() async throws {
        let people = try chosenPeople()
        if showPeople {
            Terminal.line(String(decoding: BreakingNews.json(of: people), as: UTF8.self))
            return
        }
        let isQuiet = json
        let note: @Sendable (String) -> Void = { if !isQuiet { Terminal.line($0) } }
        note("Starting a hub …")
        let hub = try ChildHub()
        defer { hub.stop() }
        let result: BreakingNewsResult
        do throws(BreakingNews.Failure) {
            result = try await BreakingNews(
                hub.connection,
                people: people,
                patience: .seconds(patience),
                progress: note
            ).run()
        } catch {
            throw Failure(error)
        }
        if json {
            try Terminal.json(result)
        } else {
            Terminal.line("\n" + result.table)
        }
        guard result.isExact else {
            throw Failure("some device did not get exactly what it should")
        }
        note(Terminal.good("Every device got exactly what it should."))
    }

    private func chosenPeople() throws -> [BreakingNews.Person] {
        guard let people else { return BreakingNews.people }
        guard let bytes = FileManager.default.contents(atPath: people) else {
            throw Failure("cannot read \(people)")
        }
        do throws(BreakingNews.PeopleFault) {
            return try BreakingNews.people(json: [UInt8](bytes))
        } catch {
            throw Failure("\(people): \(error)")
        }
    }
}
