import Foundation
import HubClient
import Testing

@testable import ScenarioSupport

/// What a person sees who plays with devices, files and folders for the first time.
@Suite("First steps on the command line")
struct FirstStepsTests {
    private static func ran(
        _ arguments: [String]
    ) async throws -> (code: Int32, output: [String], errors: [String]) {
        let program = try Program.belfry(arguments)
        let code = try await program.exitCode()
        return (code, program.output.events, program.errors.events)
    }

    @Test("a device says who it is, and the command that it names reaches it")
    func device() async throws {
        let hub = try await RunningHub.start()
        let data = ["--data", hub.folder.path]
        let device = try Program.belfry(
            ["device", "--tag", "World", "--show-handle", "--count", "1"] + data
        )
        let lines = try await device.output.wait(for: "the command to try") { lines in
            lines.contains { $0.hasPrefix("try: ") }
        }
        let first = try #require(lines.first)
        #expect(first.hasPrefix("connected as ") && first.utf8.count == 49)
        let id = try #require(first.split(separator: " ").dropFirst(2).first).filter { $0 != "-" }
        #expect(id.count == 32)
        #expect(lines.contains { $0.hasPrefix("push handle \(id)") }, "\(lines)")
        #expect(lines.contains("subscribed: apple, World"), "\(lines)")
        // As a shell would run it.
        let command = try #require(lines.last).dropFirst("try: belfry".count)
        let shell = try Program("/bin/sh", ["-c", "exec '\(Program.belfryPath)'\(command)"])
        #expect(try await shell.exitCode() == 0, "\(command) \(shell.errors.events)")
        #expect(try await device.exitCode() == 0, "\(device.errors.events)")
        #expect(device.output.events.last?.contains("Hello") == true)
        #expect(try await hub.terminate() == 0)
    }

    @Test("a device that finds no hub says where it looks for one, and when it tries again")
    func away() async throws {
        let hub = try await RunningHub.start()
        try await hub.kill()
        let device = try Program.belfry(["device", "--data", hub.folder.path, "--tag", "World"])
        let lines = try await device.output.wait(for: "a first try") { $0.count >= 2 }
        let place = "\(hub.connection.devices.host):\(hub.connection.devices.port)"
        #expect(lines[0] == "nothing answers at \(place): is 'belfry serve' running?")
        #expect(lines[1].hasPrefix("disconnected: hub not reachable, next try in "), "\(lines)")
        device.signal(SIGTERM)
        #expect(try await device.exitCode() == 0)
    }

    @Test("a device whose registration is refused says why and exits 1")
    func refusedRegistration() async throws {
        let hub = try await RunningHub.start()
        let told = try await Self.ran(
            ["device", "--data", hub.folder.path, "--tag", "$UserId:{alice}"]
        )
        #expect(told.code == 1 && told.errors.joined().contains("refused"), "\(told)")
        let reason = "'$UserId:{alice}' belongs to the back end"
        #expect(told.output.joined(separator: "\n").contains(reason), "\(told)")
        #expect(try await hub.terminate() == 0)
    }

    @Test("send --file stops at what is no file of lines, and says that there was nothing")
    func wrongFile() async throws {
        let hub = try await RunningHub.start()
        try hub.folder.write((1...3_000).map { "\($0)\n" }.joined(), to: "words")
        try hub.folder.write("", to: "empty")
        let send = ["send", "--data", hub.folder.path, "--file"]
        let words = try await Self.ran(send + [hub.folder.file("words")])
        #expect(words.code == 1)
        #expect(words.errors.count == 21 && words.errors.last?.contains("no NDJSON") == true)
        let empty = try await Self.ran(send + [hub.folder.file("empty")])
        #expect(empty.code == 0)
        #expect(empty.errors == ["there was no line to send"])
        #expect(try await hub.terminate() == 0)
    }

    @Test("verify leaves a backup's files as they are")
    func verify() async throws {
        let hub = try await RunningHub.start()
        let backup = ScenarioFolder()
        let made = try await Self.ran(
            ["backup", "--data", hub.folder.path, "--to", backup.file("copy")]
        )
        #expect(made.code == 0, "\(made)")
        let before = try FileManager.default.subpathsOfDirectory(atPath: backup.path).sorted()
        #expect(before.contains { $0.hasSuffix(".sqlite") })
        #expect(try await Self.ran(["verify", "--data", backup.file("copy")]).code == 0)
        let after = try FileManager.default.subpathsOfDirectory(atPath: backup.path).sorted()
        #expect(after == before)
        #expect(try await hub.terminate() == 0)
    }

    @Test("a fleet's own goodbyes are no lost connections")
    func fleet() async throws {
        let hub = try await RunningHub.start()
        let told = try await Self.ran(
            [
                "fleet", "--data", hub.folder.path, "--count", "20", "--tag", "World", "--seconds",
                "2",
            ]
        )
        #expect(told.code == 0, "\(told)")
        let line = try #require(told.output.last)
        #expect(line.contains("registered 20") && line.contains("lost connections 0"), "\(line)")
        #expect(try await hub.terminate() == 0)
    }

    @Test("git ignores the folders with keys that the examples make")
    func ignored() async throws {
        let root = SourceTree.path("")
        for name in ["data", "data-backend", "data-backend.key", "alice", "bob", "phone"] {
            let git = try Program.named("git", ["-C", root, "check-ignore", "-q", name + "/x"])
            #expect(try await git.exitCode() == 0, "\(name) \(git.errors.events)")
        }
        // Elsewhere a new folder ignores itself.
        let place = ScenarioFolder()
        try FileManager.default.removeItem(atPath: place.path)
        let hub = try await RunningHub.start(in: place)
        #expect(try await hub.terminate() == 0)
        let rule = try String(contentsOfFile: place.file(".gitignore"), encoding: .utf8)
        #expect(rule == "*\n")
    }
}
