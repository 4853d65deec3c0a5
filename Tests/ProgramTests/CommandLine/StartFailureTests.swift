import Foundation
import GRDB
import HubClient
import HubTestSupport
import Testing

@testable import ScenarioSupport

/// What keeps a hub from starting: one readable line on standard error and exit code 1.
@Suite("A hub that cannot start")
struct StartFailureTests {
    @Test(
        "says which store file is damaged",
        arguments: ["registrations.sqlite", "log-000001.sqlite", "state.sqlite"]
    )
    func garbageStore(_ name: String) async throws {
        let folder = try await RunningHub.usedFolder()
        let file = "hubs/hub/\(name)"
        #expect(FileManager.default.fileExists(atPath: folder.file(file)))
        try folder.write(String(repeating: "this is no database ", count: 500), to: file)
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.file(file + suffix))
        }
        try await RefusedStart.expect(["--data", folder.path], ["store of hub 'hub'", name])
    }

    @Test("says that a store was written by a newer release")
    func newerSchema() async throws {
        let folder = try await RunningHub.usedFolder()
        let queue = try DatabaseQueue(path: folder.file("hubs/hub/log-000001.sqlite"))
        try await queue.write { try $0.execute(sql: "PRAGMA user_version = 999") }
        try queue.close()
        try await RefusedStart.expect(
            ["--data", folder.path],
            ["store of hub 'hub'", "newer release", "999"]
        )
    }

    @Test("says which port is in use, and which folder; the first hub goes on")
    func inUse() async throws {
        let hub = try await RunningHub.start()
        let other = ScenarioFolder()
        try await RefusedStart.expect(
            ["--data", other.path, "--rest-port", "\(hub.connection.rest.port)"],
            ["REST listener", "in use"]
        )
        try await RefusedStart.expect(
            ["--data", other.path, "--device-port", "\(hub.connection.devices.port)"],
            ["device listener", "in use"]
        )
        try await RefusedStart.expect(
            ["--data", hub.folder.path],
            ["\(hub.folder.path) is in use by another belfry process"]
        )
        #expect(FileManager.default.fileExists(atPath: hub.folder.file("connection.json")))
        try await hub.connection.stillWorks()
        // What was refused once starts when the port is free.
        let started = try await RunningHub.start(in: other)
        #expect(try await started.terminate() == 0)
        #expect(try await hub.terminate() == 0)
    }

    @Test("says what is wrong with a certificate or key")
    func certificates() async throws {
        let folder = ScenarioFolder()
        try folder.write(
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            to: "a.pem"
        )
        try folder.write("no key", to: "a-key.pem")
        let data = ["--data", folder.file("data")]
        try await RefusedStart.expect(
            data + ["--certificate", folder.file("a.pem"), "--key", folder.file("a-key.pem")],
            ["certificate", "a.pem"]
        )
        try await RefusedStart.expect(
            data + ["--certificate", folder.file("none.pem"), "--key", folder.file("a-key.pem")],
            ["certificate", "none.pem"]
        )
        try await RefusedStart.expect(
            data + ["--certificate", folder.file("a.pem")],
            ["both the certificate and its key"]
        )
        // A good certificate with the key of another one.
        for name in ["one", "two"] {
            try SelfSigned.make(name, in: folder)
        }
        try await RefusedStart.expect(
            data + ["--certificate", folder.file("one.pem"), "--key", folder.file("two-key.pem")],
            ["certificate"]
        )
    }

    @Test("refuses an address that others can reach unless that was confirmed")
    func publicBind() async throws {
        let folder = ScenarioFolder()
        for flag in ["--rest-host", "--device-host"] {
            try await RefusedStart.expect(
                ["--data", folder.path, flag, "0.0.0.0"],
                ["0.0.0.0", "--confirm-public-bind"]
            )
        }
    }

    @Test("says what is wrong in the settings and the folder")
    func settings() async throws {
        let folder = ScenarioFolder()
        let data = ["--data", folder.path]
        try folder.write("{ rest: ", to: "belfry.json")
        try await RefusedStart.expect(data, ["belfry.json: line 1, column 3"])
        try folder.write(#"{"shards": "many"}"#, to: "belfry.json")
        try await RefusedStart.expect(data, ["shards", "many"])
        try folder.write(#"{"log": {"level": "loud"}}"#, to: "belfry.json")
        try await RefusedStart.expect(data, ["loud"], level: nil)
        try folder.write(#"{"rest": {"prt": 1}}"#, to: "belfry.json")
        try await RefusedStart.expect(data, ["belfry.json: rest.prt", "did you mean 'rest.port'?"])
        try FileManager.default.removeItem(atPath: folder.file("belfry.json"))
        try folder.write("{}", to: "namespace.json")
        try await RefusedStart.expect(data, ["namespace.json"])
        try await RefusedStart.expect(
            ["--data", folder.file("namespace.json")],
            ["namespace.json"]
        )
    }
}
