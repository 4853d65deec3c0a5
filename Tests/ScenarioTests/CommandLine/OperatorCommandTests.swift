import Foundation
import HubClient
import HubTestSupport
import Testing

/// What an operator lists, changes and finds again.
@Suite("Operators on the command line")
struct OperatorCommandTests {
    private static func ran(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> (code: Int32, output: [String], errors: [String]) {
        let program = try Program.belfry(arguments, environment: environment)
        let code = try await program.exitCode()
        return (code, program.output.events, program.errors.events)
    }

    @Test("lists show what was sent, to whom, and by which device it was taken")
    func lists() async throws {
        let hub = try await RunningHub.start()
        let data = ["--data", hub.folder.path]
        let empty = try await Self.ran(["notification", "list"] + data)
        #expect(empty.code == 0 && empty.output.first?.hasPrefix("nothing was sent") == true)
        let device = try Program.belfry(["device", "--tag", "World"] + data)
        try await device.output.wait(for: "a subscription") { lines in
            lines.contains { $0.hasPrefix("subscribed") }
        }
        let send = ["send", "--tags", "World", "--format", "apple"] + data
        #expect(try await Self.ran(send + [#"{"aps":{"alert":"Hello"}}"#]).code == 0)
        try await device.output.wait(for: "the notification") { lines in
            lines.contains { $0.contains("Hello") && $0.hasPrefix("[") }
        }
        let sent = try await Self.ran(["notification", "list"] + data)
        let line = try #require(sent.output.last)
        #expect(sent.output.count == 2 && line.hasSuffix("World"), "\(sent)")
        #expect(sent.output.allSatisfy { !$0.hasSuffix(" ") })
        let id = try #require(line.split(separator: " ").dropFirst(2).first).description
        let shown = try await Self.ran(["notification", "show", id] + data)
        #expect(shown.code == 0 && shown.output.first?.hasPrefix(id) == true, "\(shown)")

        let devices = try await Self.ran(["device", "list", "--state", "connected"] + data)
        let phone = try #require(devices.output.last?.prefix(32)).description
        #expect(devices.output.count == 2, "\(devices)")
        let one = try await Self.ran(["device", "show", phone] + data)
        #expect(one.output.last?.hasSuffix("World") == true, "\(one)")
        let tags = try await Self.ran(["tag", "list", "--prefix", "wor"] + data)
        #expect(tags.output.last == "            1  World", "\(tags)")
        let json = try await Self.ran(["device", "list", "--behind", "--json"] + data)
        #expect(json.output.joined().contains(#""device":"\#(phone)""#))
        device.signal(SIGTERM)
        #expect(try await device.exitCode() == 0)
        #expect(try await hub.terminate() == 0)
    }

    @Test("hubs and keys are changed, and the audit says so")
    func changes() async throws {
        let hub = try await RunningHub.start()
        let data = ["--data", hub.folder.path]
        #expect(try await Self.ran(["hub", "add", "sports"] + data).code == 0)
        let hubs = try await Self.ran(["hub", "list"] + data)
        #expect(hubs.output.count == 3 && hubs.output.last?.hasPrefix("sports") == true)
        let rotate = ["key", "rotate", "DefaultSendSharedAccessSignature", "--key", "primary"]
        let key = try await Self.ran(rotate + data + ["--hub", "sports"])
        #expect(key.code == 0 && key.output.first?.count == 44, "\(key)")
        let keys = try await Self.ran(["key", "list", "--hub", "sports"] + data)
        #expect(keys.output.count == 4 && !keys.output.joined().contains(key.output[0]))
        #expect(try await Self.ran(["hub", "remove", "sports"] + data).code == 64)
        #expect(try await Self.ran(["hub", "remove", "sports", "--yes"] + data).code == 0)
        let audit = try await Self.ran(["audit"] + data)
        let operations = audit.output.dropFirst().map { $0.split(separator: " ")[2] }
        #expect(operations == ["deleteHub", "renewKey", "putHub"], "\(audit)")
        #expect(!audit.output.joined().contains(key.output[0]))
        let top = try await Self.ran(["top", "--once", "--json"] + data)
        #expect(top.code == 0 && top.output.joined().contains(#""name":"hub""#))
        #expect(try await hub.terminate() == 0)
    }

    @Test("a context stands for a connection string, and its user alone can read it")
    func contexts() async throws {
        let hub = try await RunningHub.start()
        let home = TemporaryFolder()
        let environment = ["XDG_CONFIG_HOME": home.path]
        let key = home.path + "/key.txt"
        try hub.connection.connectionStrings.full.write(
            toFile: key,
            atomically: true,
            encoding: .utf8
        )
        let none = try await Self.ran(["notification", "list"], environment: environment)
        #expect(none.code == 64, "\(none)")
        let ca = try #require(hub.connection.ca)
        let add = ["context", "add", "prod", "--connection-string-file", key, "--hub", "hub"]
        let added = try await Self.ran(add + ["--ca", ca], environment: environment)
        #expect(added.output == ["added 'prod', in use"], "\(added)")
        let listed = try await Self.ran(["context", "list"], environment: environment)
        #expect(listed.output.count == 2 && listed.output.last?.hasPrefix("*     prod") == true)
        #expect(!listed.output.joined().contains(hub.connection.connectionStrings.full.suffix(44)))
        let told = try await Self.ran(["notification", "list"], environment: environment)
        #expect(told.code == 0 && told.errors == ["context: prod"], "\(told)")
        let file = home.path + "/belfry/contexts/prod.json"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        let both = ["notification", "list", "--context", "prod", "--data", hub.folder.path]
        #expect(try await Self.ran(both, environment: environment).code == 64)
        let wrong = ["notification", "list", "--context", "nowhere"]
        #expect(try await Self.ran(wrong, environment: environment).code == 1)
        let broken = home.path + "/belfry/contexts/broken.json"
        try "no context".write(toFile: broken, atomically: true, encoding: .utf8)
        let rest = try await Self.ran(["context", "list"], environment: environment)
        #expect(rest.code == 0 && rest.output == listed.output, "\(rest)")
        #expect(rest.errors.count == 1 && rest.errors[0].contains("broken.json"), "\(rest)")
        let removed = try await Self.ran(["context", "remove", "prod"], environment: environment)
        #expect(removed.code == 0 && !FileManager.default.fileExists(atPath: file))
        #expect(try await hub.terminate() == 0)
    }

    @Test("settings are shown with their origin, and mistakes are named before a start")
    func settings() async throws {
        let folder = TemporaryFolder()
        let data = ["--data", folder.path]
        try #"{"shards": 3}"#.write(
            toFile: folder.path + "/belfry.json",
            atomically: true,
            encoding: .utf8
        )
        let shown = try await Self.ran(
            ["config", "show"] + data,
            environment: ["BELFRY_LOG_LEVEL": "debug"]
        )
        let words = shown.output.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(words.contains("shards 3 file") && words.contains("log.level debug environment"))
        #expect(words.contains("rest.port 8443 default"), "\(shown)")
        let free = ["BELFRY_REST_PORT": "0", "BELFRY_DEVICE_PORT": "0"]
        #expect(try await Self.ran(["config", "check"] + data, environment: free).code == 0)
        let wrong = try await Self.ran(
            ["config", "check"] + data,
            environment: ["BELFRY_SHARDZ": "1"]
        )
        #expect(wrong.code == 1 && wrong.errors.joined().contains("'BELFRY_SHARDS'"), "\(wrong)")
    }
}
