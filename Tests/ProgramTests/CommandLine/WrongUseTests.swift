import Foundation
import HubClient
import HubTestSupport
import Testing

@testable import ScenarioSupport

/// What a person reads who has named the wrong place, word or key.
@Suite("Commands say what to do about it")
struct WrongUseTests {
    private static func ran(
        _ arguments: [String]
    ) async throws -> (code: Int32, errors: [String]) {
        let program = try Program.belfry(arguments)
        let code = try await program.exitCode()
        return (code, program.errors.events)
    }

    @Test("when a connection does not come about")
    func connections() async throws {
        let hub = try await RunningHub.start()
        let ca = try #require(hub.connection.ca)
        let full = try ConnectionString(parsing: hub.connection.connectionStrings.full)
        func send(port: UInt16, _ options: [String]) async throws -> String {
            var string = full
            string.port = port
            let send = ["send", "--connection-string", string.text, "{}"]
            let start = ContinuousClock.now
            let told = try await Self.ran(send + options)
            #expect(told.code == 1 && told.errors.count == 1, "\(told)")
            #expect(ContinuousClock.now - start < .seconds(8))
            return told.errors.joined()
        }
        let named = ["--ca", ca, "--hub", "hub"]
        let untrusted = try await send(port: full.port, ["--hub", "hub"])
        #expect(untrusted.contains("not trusted") && untrusted.contains("--ca"), "\(untrusted)")
        let dead = try await send(port: 1, named)
        #expect(
            dead.contains("nothing listens at localhost:1: is 'belfry serve' running?"),
            "\(dead)"
        )
        let devices = try await send(port: hub.connection.devices.port, named)
        #expect(devices.contains("is it the port for devices"), "\(devices)")
        let other = try await send(port: full.port, ["--ca", ca, "--hub", "nohub"])
        #expect(other.contains("/nohub") && other.contains(full.keyName), "\(other)")
        #expect(try await hub.terminate() == 0)
    }

    @Test("when standard input has more than a payload or a password may have")
    func standardInput() async throws {
        for (arguments, most) in [
            (["send", "--data", "/nowhere", "-"], 65_536),
            (["backend", "user", "add", "--data", "/nowhere", "ada"], 4_096),
        ] {
            for count in [most, most + 1] {
                let program = try Program.belfry(arguments)
                program.write(String(repeating: "a", count: count))
                program.closeInput()
                let code = try await program.exitCode()
                let told = program.errors.events.joined()
                let isRefused = told.contains("on standard input has more than \(most) bytes")
                #expect(code != 0 && isRefused == (count > most), "\(told)")
            }
        }
    }

    @Test(
        "when an id is none",
        arguments: ["", "12", "../keys?rule=x&", String(repeating: "g", count: 32)]
    )
    func identifiers(_ id: String) async throws {
        for command in [["schedule", "cancel"], ["notification", "show"], ["device", "show"]] {
            let told = try await Self.ran(command + ["--data", "/nowhere", "--", id])
            #expect(told.code == 64 && told.errors.joined().contains("'\(id)' is no "), "\(told)")
        }
    }

    @Test("when Belfry relays to no such service", arguments: ["check", "skip"])
    func relays(_ command: String) async throws {
        let place = command == "skip" ? ["--through", "1"] : []
        for word in ["gcm", "nothing"] {
            let told = try await Self.ran(["relay", command, word, "--data", "/nowhere"] + place)
            let sentence = "\(word): Belfry relays to apns, fcm, browser and wns alone."
            #expect(told.code == 64 && told.errors.joined().contains(sentence), "\(told)")
        }
        let help = try Program.belfry(["relay", command, "--help"])
        #expect(try await help.exitCode() == 0)
        let values = help.output.events.joined(separator: "\n")
        #expect(values.contains("apns, fcm, browser, wns") && !values.contains("gcm"), "\(values)")
    }

    @Test("when a connection string names its hub")
    func entityPath() async throws {
        let hub = try await RunningHub.start()
        let ca = ["--ca", try #require(hub.connection.ca)]
        let send = hub.connection.connectionStrings.send
        let named = ["send", "{}", "--connection-string", send + ";EntityPath=hub"] + ca
        #expect(try await Self.ran(named).code == 0)
        let both = try await Self.ran(named + ["--hub", "other"])
        #expect(both.code == 64 && both.errors.joined().contains("'other'"), "\(both)")
        #expect(both.errors.contains { $0.hasPrefix("Usage: belfry send ") }, "\(both)")
        let neither = try await Self.ran(["send", "{}", "--connection-string", send] + ca)
        #expect(neither.code == 64 && neither.errors.joined().contains("--hub"), "\(neither)")
        #expect(try await hub.terminate() == 0)
    }

    @Test(
        "when a word is wrong",
        arguments: [
            (["srv"], "did you mean 'serve'?"),
            (["send", "--data", "x", "--format", "ios", "{}"], "apple, gcm, fcm, wns"),
            (["device", "--data", "x", "--platform", "aple"], "did you mean 'apple'?"),
            (["serve", "--data", "x", "--log-level", "warn"], "did you mean 'warning'?"),
            (
                ["revoke", "--data", "x", "--device", "foo"],
                "'foo' is no device id (32 hex digits)"
            ),
            (
                ["explain", "--data", "x", "foo", "--registration", "r"],
                "'foo' is no notification id"
            ),
            (["send", "{}"], "Usage: belfry send "),
        ]
    )
    func words(_ arguments: [String], _ expected: String) async throws {
        let told = try await Self.ran(arguments)
        #expect(told.code == 64, "\(told)")
        #expect(told.errors.joined(separator: "\n").contains(expected), "\(told)")
    }

    @Test("and of a reader that has gone: the command ends, and does not crash")
    func readerGone() throws {
        let output = Pipe()
        let errors = Pipe()
        try output.fileHandleForReading.close()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "trap '' PIPE; exec \"$0\" conformance --list", try Program.belfryPath,
        ]
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try errors.fileHandleForWriting.close()
        let told = try process.end(writing: errors)
        #expect(process.terminationReason == .exit && told == (1, ""), "\(told)")
    }

    @Test("when a folder is not what it should be")
    func folders() async throws {
        let hub = try await RunningHub.start()
        let folder = hub.folder.path
        let lines = try await Self.ran(["send", "--data", folder, "--file", folder])
        #expect(lines.code == 1 && lines.errors.joined().contains("is a folder"), "\(lines)")
        let nowhere = hub.folder.file("nowhere")
        let backend = try await Self.ran(["backend", "--data", nowhere])
        #expect(backend.code == 1, "\(backend)")
        #expect(backend.errors.joined().contains("there is no \(nowhere)/connection.json"))
        #expect(!FileManager.default.fileExists(atPath: nowhere + "-backend"))
        let port = "\(hub.connection.rest.port)"
        let own = hub.folder.file("backend")
        let taken = try await Self.ran(
            ["backend", "--data", folder, "--backend-data", own, "--port", port]
        )
        #expect(taken.code == 1, "\(taken)")
        #expect(taken.errors == ["Error: port \(port) is in use by another process"])
        #expect(try await hub.terminate() == 0)
    }
}
