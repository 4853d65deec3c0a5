import Foundation
import HubClient
import Testing

@testable import ScenarioSupport

/// The signature of tokens, against an implementation in another language.
@Suite("Tokens, signed and judged by another program")
struct TokenTests {
    private struct Verdict: Decodable {
        var checked: Int
        var valid: Int
        var wronglyAccepted: [String]
        var wronglyRefused: [String]
    }

    @Test("are accepted when they are valid, and never when they were changed", arguments: [1, 2])
    func differential(seed: Int) async throws {
        let hub = try await RunningHub.start()
        let program = try Program.named(
            "python3",
            [
                SourceTree.path("Tests/Outside/Interop/sas.py"), "--connection",
                hub.folder.file("connection.json"), "--seed", "\(seed)", "--count", "1500",
            ]
        )
        _ = try await program.exitCode(seconds: 120)
        let line = try #require(program.output.events.last, "\(program.errors.events)")
        let said = try JSONDecoder().decode(Verdict.self, from: Data(line.utf8))
        #expect(said.wronglyAccepted == [], "seed \(seed)")
        #expect(said.wronglyRefused == [], "seed \(seed)")
        #expect(said.checked > 1_500 && said.valid > 100, "\(line)")
    }
}
