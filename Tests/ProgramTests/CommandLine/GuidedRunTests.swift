import DeviceEmulator
import Foundation
import HubTestSupport
import Testing

@testable import ScenarioSupport

@Suite("Guided runs")
struct GuidedRunTests {
    @Test(
        "each scenario holds, with all roles in processes of their own",
        arguments: GuidedRun.Scenario.allCases
    )
    func holds(_ scenario: GuidedRun.Scenario) async throws {
        let demo = try Program.belfry(["demo", "--wire", "--scenario", scenario.rawValue])
        let code = try await demo.exitCode(seconds: 300)
        let lines = demo.output.events
        #expect(code == 0, "\(lines) \(demo.errors.events)")
        #expect(lines.contains { $0.contains("Everything held.") })
        #expect(!lines.contains { $0.contains("WRONG") })
        #expect(lines.count { $0.contains("   ok   ") } >= 5, "\(lines)")
        // What is shown is what went over the wire: a DELIVER frame and a request to the hub.
        #expect(lines.contains { $0.contains("DELIVER, ") })
        #expect(lines.contains { $0.contains("-> hub   ") && $0.contains("https://") })
        #expect(!lines.contains { $0.contains("SharedAccessSignature sr=") })
    }

    @Test("without --wire a run is short and narrow: steps and checks")
    func short() async throws {
        let demo = try Program.belfry(["demo", "--scenario", "secure-push"])
        #expect(try await demo.exitCode(seconds: 300) == 0, "\(demo.errors.events)")
        let lines = demo.output.events
        #expect(lines.count < 60 && lines.allSatisfy { $0.count <= 120 }, "\(lines)")
        #expect(lines.count { $0.contains("   ok   ") } >= 5, "\(lines)")
        #expect(!lines.contains { $0.contains("DELIVER, ") || $0.contains("https://") })
    }

    /// A run by this process, whose other tests begin children as well.
    private static func run(
        _ scenario: GuidedRun.Scenario,
        patience: Duration,
        changing tag: (from: String, to: String)?
    ) throws -> GuidedRun {
        var launcher = Launcher(path: try Program.belfryPath)
        launcher.begin = { body in try Spawning.alone(body) }
        var run = GuidedRun(scenario, launcher: launcher)
        run.patience = patience
        run.changedTag = tag
        return run
    }

    @Test(
        "a phone that subscribes to another tag is noticed",
        arguments: [
            (.localized, "locale:fr", "locale:de"), (.nearby, "place:station", "place:sea"),
        ] as [(GuidedRun.Scenario, String, String)]
    )
    func noticesTag(_ scenario: GuidedRun.Scenario, _ from: String, _ to: String) async throws {
        let run = try Self.run(scenario, patience: .seconds(20), changing: (from, to))
        let result = await run.play { _ in }
        #expect(!result.isGood, "\(result)")
        #expect(result.fault?.contains("notifications of") == true, "\(result)")
    }

    @Test("breaking news names the device that did not get what it should")
    func noticesDevice() async throws {
        let run = try Self.run(
            .breakingNews,
            patience: .seconds(20),
            changing: ("Politics", "Politiks")
        )
        var told: [String] = []
        let result = await run.play { told.append($0) }
        let news = try #require(result.news, "\(result)")
        #expect(!result.isGood && result.fault == nil)
        let wrong = news.rounds.map { round in round.rows.filter { !$0.isExact }.map(\.name) }
        #expect(wrong == [["Mara"], ["Mara"]])
        #expect(told.contains { $0.contains("missing: ") && $0.contains("Breaking Politics") })
    }

    @Test(
        "a run whose backend is stopped exits 1",
        arguments: ["rich-push", "secure-push", "notify-users"]
    )
    func noticesBackend(_ scenario: String) async throws {
        let demo = try Program.belfry(["demo", "--wire", "--scenario", scenario])
        let lines = try await demo.output.wait(for: "the backend's process") { lines in
            lines.contains { $0.hasPrefix("backend: process ") }
        }
        let line = lines.first { $0.hasPrefix("backend: process ") } ?? ""
        let pid = try #require(Int32(line.split(separator: " ").last ?? ""))
        kill(pid, SIGKILL)
        #expect(try await demo.exitCode(seconds: 300) == 1, "\(demo.output.events)")
    }

    @Test("--json is the list of checks, and of breaking news who got what")
    func json() async throws {
        for scenario in [GuidedRun.Scenario.nearby, .breakingNews] {
            let demo = try Program.belfry(["demo", "--scenario", scenario.rawValue, "--json"])
            #expect(try await demo.exitCode(seconds: 300) == 0, "\(demo.errors.events)")
            let text = demo.output.events.joined(separator: "\n")
            let result = try JSONDecoder().decode(GuidedResult.self, from: Data(text.utf8))
            #expect(result.scenario == scenario.rawValue)
            #expect(result.checks.count > 5 && result.isGood, "\(text)")
            #expect(result.news?.rounds.count == (scenario == .breakingNews ? 2 : nil))
        }
    }
}
