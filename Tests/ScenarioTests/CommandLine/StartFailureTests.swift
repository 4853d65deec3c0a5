import Foundation
import GRDB
import HubClient
import HubTestSupport
import Testing

/// What keeps a hub from starting: one readable line on standard error and exit code 1.
@Suite("A hub that cannot start")
struct StartFailureTests {
    @Test(
        "says which store file is damaged",
        arguments: ["registrations.sqlite", "log-000001.sqlite", "state.sqlite"]
    )
    func garbageStore(_ name: String) async throws {
        let folder = try await Self.usedFolder()
        let file = "hubs/hub/\(name)"
        #expect(FileManager.default.fileExists(atPath: folder.file(file)))
        try folder.write(String(repeating: "this is no database ", count: 500), to: file)
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.file(file + suffix))
        }
        try await Self.expectRefusal(["--data", folder.path], ["store of hub 'hub'", name])
    }

    @Test("says that a store was written by a newer release")
    func newerSchema() async throws {
        let folder = try await Self.usedFolder()
        let queue = try DatabaseQueue(path: folder.file("hubs/hub/log-000001.sqlite"))
        try await queue.write { try $0.execute(sql: "PRAGMA user_version = 999") }
        try queue.close()
        try await Self.expectRefusal(
            ["--data", folder.path],
            ["store of hub 'hub'", "newer release", "999"]
        )
    }

    @Test("says which port is in use, and which folder; the first hub goes on")
    func inUse() async throws {
        let hub = try await RunningHub.start()
        let other = TemporaryFolder()
        try await Self.expectRefusal(
            ["--data", other.path, "--rest-port", "\(hub.connection.rest.port)"],
            ["REST listener", "in use"]
        )
        try await Self.expectRefusal(
            ["--data", other.path, "--device-port", "\(hub.connection.devices.port)"],
            ["device listener", "in use"]
        )
        try await Self.expectRefusal(
            ["--data", hub.folder.path],
            ["\(hub.folder.path) is in use by another belfry process"]
        )
        #expect(FileManager.default.fileExists(atPath: hub.folder.file("connection.json")))
        try await HostileDeviceTests.stillWorks(hub.connection)
        // What was refused once starts when the port is free.
        let started = try await RunningHub.start(in: other)
        #expect(try await started.terminate() == 0)
        #expect(try await hub.terminate() == 0)
    }

    @Test("says what is wrong with a certificate or key")
    func certificates() async throws {
        let folder = TemporaryFolder()
        try folder.write(
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            to: "a.pem"
        )
        try folder.write("no key", to: "a-key.pem")
        let data = ["--data", folder.file("data")]
        try await Self.expectRefusal(
            data + ["--certificate", folder.file("a.pem"), "--key", folder.file("a-key.pem")],
            ["certificate", "a.pem"]
        )
        try await Self.expectRefusal(
            data + ["--certificate", folder.file("none.pem"), "--key", folder.file("a-key.pem")],
            ["certificate", "none.pem"]
        )
        try await Self.expectRefusal(
            data + ["--certificate", folder.file("a.pem")],
            ["both the certificate and its key"]
        )
        // A good certificate with the key of another one.
        for name in ["one", "two"] {
            try SelfSigned.make(name, in: folder)
        }
        try await Self.expectRefusal(
            data + ["--certificate", folder.file("one.pem"), "--key", folder.file("two-key.pem")],
            ["certificate"]
        )
    }

    @Test("refuses an address that others can reach unless that was confirmed")
    func publicBind() async throws {
        let folder = TemporaryFolder()
        for flag in ["--rest-host", "--device-host"] {
            try await Self.expectRefusal(
                ["--data", folder.path, flag, "0.0.0.0"],
                ["0.0.0.0", "--confirm-public-bind"]
            )
        }
    }

    @Test("says what is wrong in the settings and the folder")
    func settings() async throws {
        let folder = TemporaryFolder()
        let data = ["--data", folder.path]
        try folder.write("{ rest: ", to: "belfry.json")
        try await Self.expectRefusal(data, ["belfry.json: line 1, column 3"])
        try folder.write(#"{"shards": "many"}"#, to: "belfry.json")
        try await Self.expectRefusal(data, ["shards", "many"])
        try folder.write(#"{"log": {"level": "loud"}}"#, to: "belfry.json")
        try await Self.expectRefusal(data, ["loud"], level: nil)
        try folder.write(#"{"rest": {"prt": 1}}"#, to: "belfry.json")
        try await Self.expectRefusal(data, ["belfry.json: rest.prt", "did you mean 'rest.port'?"])
        try FileManager.default.removeItem(atPath: folder.file("belfry.json"))
        try folder.write("{}", to: "namespace.json")
        try await Self.expectRefusal(data, ["namespace.json"])
        try await Self.expectRefusal(["--data", folder.file("namespace.json")], ["namespace.json"])
    }

    // MARK: Steps

    /// The folder of a hub that has run and holds a registration and a notification.
    static func usedFolder() async throws -> TemporaryFolder {
        let hub = try await RunningHub.start()
        try await HostileDeviceTests.stillWorks(hub.connection)
        #expect(try await hub.terminate() == 0)
        return hub.folder
    }

    /// Starts, and expects one line with these words and exit code 1.
    static func expectRefusal(
        _ arguments: [String],
        _ words: [String],
        level: String? = "error",
        environment: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        var all = ["serve", "--until-stdin-closes"]
        if let level { all += ["--log-level", level] }
        if !arguments.contains("--rest-port") { all += ["--rest-port", "0"] }
        if !arguments.contains("--device-port") { all += ["--device-port", "0"] }
        let program = try Program.belfry(all + arguments, environment: environment)
        let code = try await program.exitCode()
        #expect(code == 1, "\(program.errors.events)", sourceLocation: location)
        #expect(program.output.events == [], sourceLocation: location)
        #expect(
            program.errors.events.count == 1,
            "\(program.errors.events)",
            sourceLocation: location
        )
        let line = program.errors.events.joined(separator: "\n")
        #expect(line.hasPrefix("Error: ") && line.count < 400, "\(line)", sourceLocation: location)
        for word in words { #expect(line.contains(word), "\(line)", sourceLocation: location) }
    }
}

/// Certificates for localhost that sign themselves.
enum SelfSigned {
    /// Writes `name.pem` and `name-key.pem`.
    static func make(_ name: String, in folder: TemporaryFolder) throws {
        let (key, file) = (folder.file(name + "-key.pem"), folder.file(name + ".pem"))
        try Tool.certificate("localhost", names: "DNS:localhost", key: key, in: file)
    }
}
