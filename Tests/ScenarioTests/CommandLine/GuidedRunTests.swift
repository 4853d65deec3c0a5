import Foundation
import Testing

@Suite("Guided runs")
struct GuidedRunTests {
    /// What `--json` prints.
    private struct Result: Decodable {
        struct Check: Decodable {
            var text: String
            var holds: Bool
        }

        var scenario: String
        var checks: [Check]
    }

    @Test(
        "each scenario holds, with all roles in processes of their own",
        arguments: [
            "breaking-news", "rich-push", "secure-push", "notify-users", "localized", "nearby",
        ]
    )
    func holds(_ scenario: String) async throws {
        let demo = try Program.belfry(["demo", "--scenario", scenario, "--patience", "60"])
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

    @Test(
        "with one tag changed a run exits 1",
        arguments: [
            ("breaking-news", "Science=Sciense"), ("localized", "locale:fr=locale:de"),
            ("nearby", "place:station=place:sea"),
        ]
    )
    func noticesTag(_ scenario: String, _ change: String) async throws {
        let demo = try Program.belfry([
            "demo", "--scenario", scenario, "--change-tag", change, "--patience", "20",
        ])
        #expect(try await demo.exitCode(seconds: 300) == 1, "\(demo.output.events)")
    }

    @Test(
        "a run whose backend is stopped exits 1",
        arguments: ["rich-push", "secure-push", "notify-users"]
    )
    func noticesBackend(_ scenario: String) async throws {
        let demo = try Program.belfry(["demo", "--scenario", scenario, "--patience", "30"])
        let lines = try await demo.output.wait(for: "the backend's process") { lines in
            lines.contains { $0.hasPrefix("backend: process ") }
        }
        let line = lines.first { $0.hasPrefix("backend: process ") } ?? ""
        let pid = try #require(Int32(line.split(separator: " ").last ?? ""))
        kill(pid, SIGKILL)
        #expect(try await demo.exitCode(seconds: 300) == 1, "\(demo.output.events)")
    }

    @Test("--json is the list of checks")
    func json() async throws {
        let demo = try Program.belfry([
            "demo", "--scenario", "nearby", "--json", "--patience", "60",
        ])
        #expect(try await demo.exitCode(seconds: 300) == 0, "\(demo.errors.events)")
        let text = demo.output.events.joined(separator: "\n")
        let result = try JSONDecoder().decode(Result.self, from: Data(text.utf8))
        #expect(result.scenario == "nearby")
        #expect(result.checks.count > 5)
        let isGood = result.checks.allSatisfy(\.holds)
        #expect(isGood, "\(text)")
    }

    @Test("options that do not fit together are wrong usage")
    func usage() async throws {
        for arguments in [
            ["--scenario", "nearby", "--show-people"], ["--change-tag", "a=b"],
            ["--scenario", "nearby", "--change-tag", "a"], ["--scenario", "far"],
            ["--scenario", "breaking-news", "--people", "people.json"],
        ] {
            let demo = try Program.belfry(["demo"] + arguments)
            #expect(try await demo.exitCode() == 64, "\(arguments)")
        }
    }
}

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
