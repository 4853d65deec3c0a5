import HubClient
import Testing

@testable import ScenarioSupport

@Suite("belfry send --test")
struct TestSendTests {
    @Test("shows what happens at each registration, and sends to them")
    func table() async throws {
        let hub = try await RunningHub.start()
        let phones = [
            try await Phone.subscribed(hub.connection, .news(.apple, tags: ["World"])),
            try await Phone.subscribed(hub.connection, .news(.gcm, tags: ["World"])),
        ]
        func ran(_ arguments: [String]) async throws -> (code: Int32, lines: [String]) {
            let program = try Program.belfry(
                ["send", "--data", hub.folder.path, "--test"] + arguments
            )
            let code = try await program.exitCode()
            return (code, program.output.events)
        }
        let shown = try await ran(["--tags", "World", #"{"messageParam":"a few"}"#])
        #expect(shown.code == 0)
        #expect(shown.lines.count == 3, "\(shown.lines)")
        #expect(shown.lines.count { $0.contains("successfully sent") } == 2, "\(shown.lines)")
        #expect(shown.lines.last?.hasPrefix("2 succeeded, 0 failed, notification 01") == true)
        for phone in phones {
            try await phone.receive(containing: "a few")
            #expect(!shown.lines.joined().lowercased().contains(phone.handle.lowercased()))
        }
        let nobody = try await ran(["--tags", "Nobody", "--json", #"{"messageParam":"x"}"#])
        #expect(nobody.lines == [#"{"failures":0,"results":[],"successes":0}"#])
        #expect(try await ran(["--at", "+1h", "{}"]).code == 64)
        for phone in phones { await phone.close() }
        #expect(try await hub.terminate() == 0)
    }
}
