import Foundation
import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

/// A hub that is copied while it runs, and its devices when an older copy takes its place.
@Suite("Backup, restore, verify")
struct BackupTests {
    private func run(_ arguments: [String]) async throws -> (code: Int32, text: String) {
        let program = try Program.belfry(arguments)
        let code = try await program.exitCode()
        return (code, (program.output.events + program.errors.events).joined(separator: "\n"))
    }

    @Test("a device that saw more than the backup holds is told RESET and goes on")
    func olderCopy() async throws {
        let hub = try await RunningHub.startRestartable()
        let folder = ScenarioFolder()
        let state = folder.file("device.json")
        let sender = try SenderClient(hub.connection)
        let arguments = ["device", "--tag", "World", "--json", "--state", state, "--data"]
        func device(_ data: String, _ count: Int) throws -> Program {
            try Program.belfry(arguments + [data, "--count", "\(count)"])
        }
        func send(_ sender: SenderClient, _ number: Int) async throws {
            let body = #"{"aps":{"alert":"number \#(number)"}}"#
            _ = try await sender.send(.native(.apple, body: Array(body.utf8), tags: "World"))
        }
        let first = try device(hub.folder.path, 2)
        try await first.output.wait(for: "a registration") { lines in
            lines.contains { $0.contains(#""event":"registered""#) }
        }
        try await send(sender, 1)
        let backup = folder.file("backup")
        try await first.output.wait(for: "the first notification") { lines in
            lines.contains { $0.contains("number 1") }
        }
        let made = try await run(["backup", "--data", hub.folder.path, "--to", backup])
        #expect(made.code == 0, "\(made.text)")
        try await send(sender, 2)
        #expect(try await first.exitCode() == 0, "\(first.output.events)")
        await sender.close()
        #expect(try await hub.terminate() == 0)

        let sound = try await run(["verify", "--data", backup])
        #expect(sound.code == 0, "\(sound.text)")
        let target = ScenarioFolder()
        let done = try await run(["restore", "--from", backup, "--data", target.path])
        #expect(done.code == 0, "\(done.text)")
        let again = try await RunningHub.start(in: target)
        let later = try SenderClient(again.connection)
        let second = try device(target.path, 1)
        try await second.output.wait(for: "a connection") { lines in
            lines.contains { $0.contains(#""outcome":"reset""#) }
        }
        try await send(later, 3)
        #expect(try await second.exitCode() == 0, "\(second.output.events)")
        let text = second.output.events.joined(separator: "\n")
        #expect(text.contains("number 3"), "\(text)")
        #expect(!text.contains("number 1") && !text.contains("number 2"), "\(text)")
        await later.close()
        #expect(try await again.terminate() == 0)
    }

    @Test("nothing is overwritten, and a damaged backup is not restored")
    func refusals() async throws {
        let hub = try await RunningHub.start()
        let folder = ScenarioFolder()
        let backup = folder.file("backup")
        #expect(try await run(["backup", "--data", hub.folder.path, "--to", backup]).code == 0)
        let twice = try await run(["backup", "--data", hub.folder.path, "--to", backup])
        #expect(twice.code == 1)
        #expect(twice.text.contains("is not empty"), "\(twice.text)")
        let over = try await run(["restore", "--from", backup, "--data", hub.folder.path])
        #expect(over.code == 1)
        #expect(over.text.contains("is not empty"), "\(over.text)")
        #expect(try await hub.terminate() == 0)

        let keys = backup + "/hubs/hub/keys.json"
        try Data("{}".utf8).write(to: URL(fileURLWithPath: keys))
        let damaged = try await run([
            "restore", "--from", backup, "--data", folder.file("elsewhere"),
        ])
        #expect(damaged.code == 1)
        #expect(damaged.text.contains("keys.json"), "\(damaged.text)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("elsewhere")))
        let partly = folder.file("partly")
        try FileManager.default.createDirectory(atPath: partly, withIntermediateDirectories: true)
        let missing = try await run(["restore", "--from", partly, "--data", folder.file("other")])
        #expect(missing.code == 1)
        #expect(missing.text.contains("backup.json is missing"), "\(missing.text)")
    }
}
