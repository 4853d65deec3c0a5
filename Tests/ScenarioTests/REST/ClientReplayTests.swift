import Testing

/// SDKs that cannot be installed here, replayed: see Tests/Outside/Clients/replay.
@Suite("Clients of the cloud service")
struct ClientReplayTests {
    @Test("each get the answers that they take for success")
    func replay() async throws {
        let hub = try await RunningHub.start()
        let replay = try Program.named(
            "python3",
            [SourceTree.path("Tests/Outside/Clients/replay"), hub.folder.file("connection.json")]
        )
        let code = try await replay.exitCode()
        let text = (replay.output.events + replay.errors.events).joined(separator: "\n")
        #expect(code == 0, "\(text)")
        for client in ["C# (.NET)", "JavaScript", "iOS", "Android", "Go", "Ruby", "PHP"] {
            #expect(text.contains(client), "\(text)")
        }
        #expect(try await hub.terminate() == 0)
    }
}
