import ArgumentParser
import ClusterDemo
import CommandTerminal
import DeviceEmulator

/// `belfry demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Plays a scenario: who receives what, and why it is right.",
        discussion: """
            A hub, phones and, where the scenario has one, an app backend start in processes of \
            their own, with folders that go when it ends. Each step checks what must hold; with \
            --wire it shows the requests and frames that went over the wire. Exits 0 only when all \
            of it held: of breaking news, when every device got exactly what it should.

            Examples:
              belfry demo --quiet
              belfry demo
              belfry demo --scenario secure-push --wire
              belfry demo --scenario localized --json
              belfry demo --scenario cluster
            """
    )

    @Option(help: "What is played.")
    var scenario = DemoScenario.guided(.breakingNews)

    @Flag(help: "Shows requests and frames too.")
    var wire = false

    @Flag(help: "Shows the steps and who got what, without checks that hold.")
    var quiet = false

    @Flag(help: "Prints the result as JSON, and nothing else.")
    var json = false

    func validate() throws {
        guard [quiet, wire, json].count(where: { $0 }) < 2 else {
            throw ValidationError("Give one of --wire, --quiet and --json.")
        }
    }

    func run() async throws {
        let launcher = try Failure.told { try Launcher.own() }
        let isSilent = json
        let result: GuidedResult
        switch scenario {
        case .cluster:
            let run = ClusterRun(launcher, hasColours: Terminal.hasColours)
            result = await run.play { if !isSilent { Terminal.line($0) } }
        case .guided(let scenario):
            var run = GuidedRun(scenario, launcher: launcher)
            run.detail = quiet ? .steps : wire ? .everything : .checks
            run.hasColours = Terminal.hasColours
            result = await run.play { if !isSilent { Terminal.line($0) } }
        }
        if json { try Terminal.json(result) }
        guard result.isGood else { throw Failure(result.fault ?? "not everything held") }
        guard !json else { return }
        let exact = result.news == nil ? "" : "Every device got exactly what it should. "
        Terminal.line("\n" + Terminal.good(exact + "Everything held."))
    }
}

/// A choice of `belfry demo`.
enum DemoScenario: ExpressibleByArgument {
    case guided(GuidedRun.Scenario)
    case cluster

    private static let clusterName = "cluster"
    static let allValueStrings = GuidedRun.Scenario.allCases.map(\.rawValue) + [clusterName]

    init?(argument: String) {
        if let scenario = GuidedRun.Scenario(rawValue: argument) {
            self = .guided(scenario)
        } else if argument == Self.clusterName {
            self = .cluster
        } else {
            return nil
        }
    }

    var defaultValueDescription: String {
        if case .guided(let scenario) = self { scenario.rawValue } else { Self.clusterName }
    }
}
