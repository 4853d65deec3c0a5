import Foundation
import HubClient
import HubTestSupport
import Testing

@testable import ScenarioSupport

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

    @Test("a mistyped hub names its neighbour, and one that is like no other names none")
    func nearestHub() async throws {
        let hub = try await RunningHub.start()
        let data = ["--data", hub.folder.path]
        #expect(try await Self.ran(["hub", "add", "sports"] + data).code == 0)
        let near = try await Self.ran(["device", "list", "--hub", "sprots"] + data)
        #expect(
            near.code == 1 && near.errors.joined().contains("Did you mean 'sports'?"),
            "\(near)"
        )
        let far = try await Self.ran(["device", "list", "--hub", "elsewhere"] + data)
        #expect(far.code == 1 && !far.errors.joined().contains("Did you mean"), "\(far)")
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
        let recent = try await Self.ran(["audit", "--since", "1h"] + data)
        #expect(recent.output == audit.output)
        let older = try await Self.ran(["audit", "--until", "1h"] + data)
        #expect(older.code == 0 && older.output == ["no such change"], "\(older)")
        #expect(!audit.output.joined().contains(key.output[0]))
        let top = try await Self.ran(["top", "--once", "--json"] + data)
        #expect(top.code == 0 && top.output.joined().contains(#""name":"hub""#))
        #expect(try await hub.terminate() == 0)
    }

    @Test("keys are changed step by step, and the old one's use holds up the last step")
    func rotation() async throws {
        let hub = try await RunningHub.start()
        let data = ["--data", hub.folder.path]
        let rotate = ["key", "rotate", "DefaultSendSharedAccessSignature"] + data
        let ca = try #require(hub.connection.ca)
        let send = [
            "send", "{}", "--hub", "hub", "--ca", ca, "--connection-string",
            hub.connection.connectionStrings.send,
        ]
        let first = try await Self.ran(rotate)
        #expect(first.code == 0 && first.output.first?.count == 44, "\(first)")
        #expect(try await Self.ran(send).code == 0)
        let second = try await Self.ran(rotate)
        #expect(second.code == 1 && second.output == [], "\(second)")
        #expect(second.errors.joined().contains("quiet in 25 hours at the earliest"), "\(second)")
        let keys = try await Self.ran(["key", "list"] + data)
        let line = keys.output.first { $0.hasPrefix("DefaultSend") }
        #expect(line?.hasSuffix("never") == true && line?.contains("h  ") == true, "\(keys)")
        let last = try await Self.ran(rotate + ["--key", "primary"])
        #expect(last.code == 0 && last.output != first.output)
        #expect(try await Self.ran(send).code == 1)
        #expect(try await hub.terminate() == 0)
    }

    @Test("keys that open every hub are changed, and whoever reads them from the folder goes on")
    func keysOfAll() async throws {
        let hub = try await RunningHub.start()
        let data = ["--data", hub.folder.path]
        let ca = try #require(hub.connection.ca)
        let old = try #require(hub.connection.connectionStrings.namespace)
        let byString = ["hub", "list", "--ca", ca, "--connection-string"]
        #expect(try await Self.ran(byString + [old]).code == 0)
        let scraped = try String(contentsOfFile: hub.folder.file("metrics.token"), encoding: .utf8)
        let rotate = ["key", "rotate", "--namespace", "RootManageSharedAccessKey"] + data
        let first = try await Self.ran(rotate)
        #expect(first.code == 0 && first.output.first?.count == 44, "\(first)")
        // The second key is new, and the first one works still.
        #expect(try await Self.ran(byString + [old]).code == 0)
        let list = try await Self.ran(["key", "list", "--namespace"] + data)
        #expect(list.output.count == 2 && list.output[1].hasPrefix("Root"), "\(list)")
        #expect(!list.output.joined().contains(first.output[0]))
        let second = try await Self.ran(rotate + ["--key", "primary"])
        #expect(second.code == 0 && second.output != first.output)
        #expect(try await Self.ran(byString + [old]).code == 1)
        let key = try #require(old.components(separatedBy: "SharedAccessKey=").last)
        let new = old.replacing(key, with: second.output[0])
        #expect(try await Self.ran(byString + [new]).code == 0)
        // What lies in the folder is of the new key.
        #expect(try await Self.ran(["hub", "list"] + data).code == 0)
        let after = try String(contentsOfFile: hub.folder.file("metrics.token"), encoding: .utf8)
        #expect(after != scraped)
        let audit = try await Self.ran(["audit"] + data)
        let operations = audit.output.dropFirst().map { $0.split(separator: " ")[2] }
        #expect(operations == ["renewNamespaceKey", "renewNamespaceKey"], "\(audit)")
        #expect(!audit.output.joined().contains(second.output[0]))
        let wrong = try await Self.ran(rotate + ["--hub", "hub"])
        #expect(wrong.code == 64 && wrong.errors.joined().contains("--hub"), "\(wrong)")
        #expect(try await hub.terminate() == 0)
        // A start reads what was changed.
        let again = try await RunningHub.start(in: hub.folder)
        #expect(again.connection.connectionStrings.namespace?.hasSuffix(second.output[0]) == true)
        #expect(try await again.terminate() == 0)
    }

    @Test("keys of a hub and of all hubs are changed in two runs when no one else uses them")
    func staged() async throws {
        let hub = try await RunningHub.start()
        let data = ["--data", hub.folder.path]
        for (rule, look) in [
            (["--namespace", "RootManageSharedAccessKey"], ["hub", "list"]),
            (["DefaultFullSharedAccessSignature"], ["device", "list"]),
        ] {
            let rotate = ["key", "rotate"] + rule + data
            #expect(try await Self.ran(rotate).code == 0)
            // Programs that read the folder have the newest key, and looks at keys are no uses.
            #expect(try await Self.ran(look + data).code == 0)
            let last = try await Self.ran(rotate)
            #expect(last.code == 0 && last.errors.last?.hasSuffix("are changed") == true, "\(last)")
        }
        #expect(try await hub.terminate() == 0)
    }

    @Test("the doctor finds what is there, by itself and beside a hub, and exits as told")
    func doctor() async throws {
        let folder = ScenarioFolder()
        let data = ["doctor", "--data", folder.path]
        #expect(try await Self.ran(["doctor", "--data", folder.path + "/none"]).code == 1)
        #expect(try await Self.ran(["doctor"]).code == 64)
        let hub = try await RunningHub.start(in: folder)
        func ids(_ arguments: [String]) async throws -> (code: Int32, ids: Set<String>) {
            struct Finding: Decodable { var id: String }
            let told = try await Self.ran(arguments + ["--json"])
            let found = try JSONDecoder().decode(
                [Finding].self,
                from: Data(told.output.joined().utf8)
            )
            return (told.code, Set(found.map(\.id)))
        }
        let well = try await ids(data)
        // A machine for tests may have some of these.
        let ofMachine: Set = ["E03", "E04", "W05", "E07", "W08", "W09", "W18"]
        #expect(well.ids.subtracting(ofMachine) == ["W19"], "\(well)")
        #expect(try await ids(data + ["--fail-on", "warning"]).code == 1)
        let backup = ["backup", "--data", folder.path, "--to", folder.path + "-copy", "--verify"]
        #expect(try await Self.ran(backup).code == 0)
        try FileManager.default.removeItem(atPath: folder.path + "-copy")
        #expect(try await ids(data).ids.subtracting(ofMachine) == [])
        for (name, mode) in [("", 0o750), ("/namespace.json", 0o644)] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode],
                ofItemAtPath: folder.path + name
            )
        }
        let bad = try await ids(data)
        #expect(bad.code == 1 && bad.ids.contains("E01"), "\(bad)")
        // A command that does not trust the hub gets no answer; the folder speaks all the same.
        let authority = try String(contentsOfFile: folder.path + "/tls/ca.pem", encoding: .utf8)
        try folder.write("", to: "tls/ca.pem")
        let untrusted = try await ids(data)
        #expect(untrusted.code == 1 && untrusted.ids.contains("E01"), "\(untrusted)")
        try folder.write(authority, to: "tls/ca.pem")
        hub.program.signal(SIGKILL)
        _ = try await hub.program.exitCode()
        let gone = try await Self.ran(data)
        #expect(gone.output.contains { $0.hasPrefix("! W02 connection.json names process ") })
        #expect(gone.output.contains { $0.hasPrefix("✗ E01 \(folder.path) can be read") })
        #expect(gone.output.contains("  → chmod 700 \(folder.path)"), "\(gone)")
        #expect(!gone.output.joined().contains("\u{1B}"))
        try folder.write(#"{"rest": {"prot": 1}}"#, to: "belfry.json")
        #expect(try await ids(data).ids.isSuperset(of: ["E01", "W02", "E16"]))
    }

    @Test("a context stands for a connection string, and its user alone can read it")
    func contexts() async throws {
        let hub = try await RunningHub.start()
        let home = ScenarioFolder()
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
        let folder = ScenarioFolder()
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
