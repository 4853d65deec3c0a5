import DeviceEmulator
import Foundation
import HubTestSupport
import Testing

@testable import ScenarioSupport

@Suite("belfry demo --scenario cluster", .enabled(if: TemporaryPostgres.isInstalled))
struct ClusterDemoTests {
    @Test("kills the leader and the primary, and each device gets what it should once")
    func plays() async throws {
        let program = try Program.belfry(["demo", "--scenario", "cluster", "--json"])
        let code = try await program.exitCode(seconds: 300)
        let text = program.output.events.joined(separator: "\n")
        #expect(code == 0, "\(text)\n\(program.errors.events)")
        let result = try JSONDecoder().decode(GuidedResult.self, from: Data(text.utf8))
        #expect(result.isGood && result.checks.count == 14, "\(result)")
    }
}
