import ArgumentParser
import DeviceEmulator
import Foundation
import HubClient

/// `belfry demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Plays a scenario: who receives what, and why it is right.",
        discussion: """
            Without --scenario it plays the breaking news quickly: it starts a hub in a folder of \
            its own, connects six emulated devices with different categories over TLS, sends over \
            REST, and compares what each device received with what it subscribed to. Exits 0 only \
            when every device got exactly what it should.

            With --scenario it is a guided run: hub, app backend and phones are processes of \
            their own, and each step shows the requests and frames that went over the wire. \
            It exits 0 only when everything held. With --change-tag A=B a phone that wants the \
            tag A subscribes to B, which a run must notice.

            With --people the file says who takes part: a JSON array of objects with name, \
            platform, subscribes, first, second (what must arrive in each round) and switchesOff. \
            --show-people prints those of the demo, to begin with.

            Examples:
              belfry demo
              belfry demo --json
              belfry demo --show-people > people.json
              belfry demo --people people.json
              belfry demo --scenario breaking-news
              belfry demo --scenario secure-push
              belfry demo --scenario localized --change-tag locale:fr=locale:de
            """
    )

    /// What can be played.
    enum Scenario: String, CaseIterable, ExpressibleByArgument {
        case breakingNews = "breaking-news"
        case richPush = "rich-push"
        case securePush = "secure-push"
        case notifyUsers = "notify-users"
        case localized
        case nearby
    }

    @Option(help: "Which scenario is played step by step; without it, breaking news with a table.")
    var scenario: Scenario?

    @Option(help: "A JSON file that says who takes part.")
    var people: String?

    @Flag(help: "Prints who takes part, as JSON, and ends.")
    var showPeople = false

    @Option(help: "In a guided run, what a phone subscribes to instead, as A=B.")
    var changeTag: String?

    @Option(help: "Seconds to wait for subscriptions, and for what must arrive in a round.")
    var patience = 15

    @Flag(help: "Prints the result as JSON.")
    var json = false

    func validate() throws {
        guard (1...600).contains(patience) else {
            throw ValidationError("--patience must be 1 to 600.")
        }
        if scenario != nil, people != nil || showPeople {
            throw ValidationError("--people and --show-people are for the run without --scenario.")
        }
        if let changeTag {
            guard changeTag.split(separator: "=").count == 2 else {
                throw ValidationError("Write --change-tag A=B.")
            }
            guard scenario != nil else {
                throw ValidationError("--change-tag is for the guided runs.")
            }
        }
    }

    func run() async throws {
        if let scenario { return try await runGuided(scenario) }
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

    /// Plays a scenario on a stage of processes.
    private func runGuided(_ scenario: Scenario) async throws {
        let isQuiet = json
        let parts = changeTag?.split(separator: "=").map(String.init)
        let stage = try GuidedStage(
            scenario: scenario.rawValue,
            patience: .seconds(patience),
            changedTag: parts.map { (from: $0[0], to: $0[1]) }
        ) { if !isQuiet { Terminal.line($0) } }
        defer { stage.close() }
        var fault: (any Error)?
        do {
            switch scenario {
            case .breakingNews: try await GuidedRuns.breakingNews(stage)
            case .richPush: try await GuidedRuns.richPush(stage)
            case .securePush: try await GuidedRuns.securePush(stage)
            case .notifyUsers: try await GuidedRuns.notifyUsers(stage)
            case .localized: try await GuidedRuns.localized(stage)
            case .nearby: try await GuidedRuns.nearby(stage)
            }
        } catch {
            fault = error
        }
        if json { try Terminal.json(stage.result) }
        if let fault { throw fault }
        guard stage.result.isGood else { throw Failure("not everything held") }
        if !json { Terminal.line("\n" + Terminal.good("Everything held.")) }
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
