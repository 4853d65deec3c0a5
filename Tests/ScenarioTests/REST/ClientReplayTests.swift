import Testing

@testable import ScenarioSupport

/// SDKs that cannot be installed here, replayed: see Tests/Outside/Clients.
@Suite("Clients of the cloud service")
struct ClientReplayTests {
    @Test(
        "each get the answers that they take for success, composed and byte by byte",
        arguments: [
            ("replay", ["C# (.NET)", "JavaScript", "iOS", "Android", "Go", "Ruby", "PHP"]),
            ("play", ["dotnet", "javascript", "node", "php", "java", "go", "ruby", ", 0 failed"]),
        ]
    )
    func replay(script: String, clients: [String]) async throws {
        let hub = try await RunningHub.start()
        let replay = try Program.named(
            "python3",
            [
                SourceTree.path("Tests/Outside/Clients/\(script)"),
                hub.folder.file("connection.json"),
            ]
        )
        let code = try await replay.exitCode()
        let text = (replay.output.events + replay.errors.events).joined(separator: "\n")
        #expect(code == 0, "\(text)")
        for client in clients { #expect(text.contains(client), "\(text)") }
        #expect(try await hub.terminate() == 0)
    }
}
