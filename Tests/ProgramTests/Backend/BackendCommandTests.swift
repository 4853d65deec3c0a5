import Foundation
import Testing

@testable import ScenarioSupport

@Suite("The backend's command line")
struct BackendCommandTests {
    @Test("users are added, listed, given another password and removed beside a running backend")
    func users() async throws {
        let hub = try await RunningHub.start()
        let place = ["--data", hub.folder.path, "--backend-data", hub.folder.path + "-app"]
        defer {
            for suffix in ["-app", "-app.key"] {
                try? FileManager.default.removeItem(atPath: hub.folder.path + suffix)
            }
        }
        let backend = try Program.belfry(["backend", "--port", "0"] + place)
        try await backend.output.wait(for: "where it listens") { lines in
            lines.contains { $0.hasPrefix("belfry backend: https://localhost:") }
        }
        let second = try Program.belfry(["backend", "--port", "0"] + place)
        #expect(try await second.exitCode() == 1)
        #expect(second.errors.events.joined().contains("in use"), "\(second.errors.events)")
        func user(_ words: [String], input: String = "") async throws -> Program {
            let program = try Program.belfry(["backend", "user"] + words + place)
            program.write(input)
            program.closeInput()
            return program
        }
        let added = try await user(["add", "Alice"], input: "a good password\n")
        #expect(try await added.exitCode() == 0, "\(added.errors.events)")
        for (words, input, reason) in [
            (["add", "alice"], "a good password\n", "already"),
            (["add", "bob"], "short\n", "8 bytes"),
            (["add", ""], "a good password\n", "empty"),
            (["add", String(repeating: "a", count: 10_000)], "a good password\n", "10000 bytes"),
            (["add", "a b"], "a good password\n", "letters"),
            (["passwd", "nobody"], "a good password\n", "no user"),
            (["remove", "nobody"], "", "no user"),
        ] {
            let wrong = try await user(words, input: input)
            #expect(try await wrong.exitCode() == 1, "\(words[0])")
            #expect(wrong.errors.events.joined().contains(reason), "\(wrong.errors.events)")
        }
        let listed = try await user(["list"])
        #expect(try await listed.exitCode() == 0)
        #expect(listed.output.events.count == 1)
        #expect(listed.output.events[0].hasPrefix("alice "), "\(listed.output.events)")
        let changed = try await user(["passwd", "alice"], input: "another password\n")
        #expect(try await changed.exitCode() == 0, "\(changed.errors.events)")
        let removed = try await user(["remove", "alice"])
        #expect(try await removed.exitCode() == 0, "\(removed.errors.events)")
        backend.signal(SIGTERM)
        #expect(try await backend.exitCode() == 0, "\(backend.errors.events)")
        #expect(!FileManager.default.fileExists(atPath: hub.folder.path + "-app/backend.json"))
        #expect(try await hub.terminate() == 0)
    }
}
