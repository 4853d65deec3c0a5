import DeviceEmulator
import Foundation
import HubBench
import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

@Suite("The command line")
struct CommandLineTests {
    @Test("demo --quiet shows the steps and the table, and exits 0")
    func demo() async throws {
        let demo = try Program.belfry(["demo", "--quiet"])
        let code = try await demo.exitCode(seconds: 300)
        let text = demo.output.events.joined(separator: "\n")
        #expect(code == 0, "\(text) \(demo.errors.events)")
        for person in BreakingNews.people { #expect(text.contains(person.name)) }
        #expect(text.contains("first round") && text.contains("second round"))
        #expect(text.contains("Every device got exactly what it should"))
        #expect(!text.contains("WRONG") && !text.contains("DELIVER"))
        // One send to World in the format of each platform.
        for start in [#"{"aps":"#, #"{"data":"#, "<toast>"] { #expect(text.contains(start)) }
    }

    @Test("send prints an id, and fails with 1 or 64")
    func send() async throws {
        let hub = try await RunningHub.start()
        func ran(_ arguments: [String], _ environment: [String: String] = [:]) async throws
            -> (code: Int32, output: [String], errors: [String])
        {
            let program = try Program.belfry(["send"] + arguments, environment: environment)
            let code = try await program.exitCode()
            return (code, program.output.events, program.errors.events)
        }
        let data = ["--data", hub.folder.path]
        let body = #"{"messageParam":"Hello"}"#
        let sent = try await ran(data + ["--tags", "World", body])
        #expect(sent.code == 0, "\(sent.errors)")
        #expect(sent.output.count == 1)
        #expect(sent.output.first?.hasPrefix("accepted 01") == true)

        let json = try await ran(data + ["--json", body])
        #expect(json.code == 0)
        let fields = try JSONDecoder().decode(
            [String: String].self,
            from: Data(json.output.joined().utf8)
        )
        #expect(fields["location"]?.contains(fields["id"] ?? "no id") == true)

        let string = hub.connection.connectionStrings.send
        let named = try await ran(
            ["--hub", "hub", "--ca", try #require(hub.connection.ca), body],
            ["BELFRY_CONNECTION_STRING": string]
        )
        #expect(named.code == 0, "\(named.errors)")

        let refused = try await ran(data + ["--tags", "World &&", body])
        #expect(refused.code == 1)
        #expect(refused.errors.joined().contains("400"), "\(refused.errors)")
        let noHub = try await ran(["--data", hub.folder.file("nowhere"), body])
        #expect(noHub.code == 1)
        #expect(noHub.errors.count == 1, "\(noHub.errors)")
        for wrong in [data, data + ["--format", "pigeon", body], ["--hub", "hub"]] {
            let code = try await ran(wrong).code
            #expect(code == 64, "\(wrong)")
        }
        #expect(try await hub.terminate() == 0)
    }

    @Test("send --file sends each line, tells of those that are refused, and fails then")
    func sendFile() async throws {
        let hub = try await RunningHub.start()
        let data = ["send", "--data", hub.folder.path]
        let line = #"{"tags":"World","body":{"messageParam":"Hello"}}"#
        let good = (0..<2_100).map { _ in line }
        // Some editors put a byte order mark in front.
        try hub.folder.write("\u{FEFF}" + good.joined(separator: "\n"), to: "good.ndjson")
        let all = try Program.belfry(data + ["--file", hub.folder.file("good.ndjson")])
        #expect(try await all.exitCode() == 0, "\(all.errors.events)")
        #expect(all.output.events == ["accepted 2100, refused 0"])

        let some = try Program.belfry(data + ["--file", "-", "--json"])
        some.write(line + "\n\n")
        // Of a stream a line goes out as soon as it is there.
        try await some.output.wait(for: "the first outcome") { !$0.isEmpty }
        some.write(#"{"tag":"World","body":{}}"# + "\n" + line)
        some.closeInput()
        #expect(try await some.exitCode() == 1)
        #expect(some.errors.events.joined().contains("1 line was refused"))
        let outcomes = try some.output.events.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(outcomes.map { $0["line"] as? Int } == [1, 3, 4])
        #expect(outcomes.map { $0["status"] as? Int } == [201, 400, 201])
        let detail = outcomes.count > 1 ? outcomes[1]["detail"] as? String : nil
        #expect(detail?.hasPrefix("tag: is no member of a line") == true)
        #expect(Set(outcomes.compactMap { $0["id"] as? String }).count == 2)

        let told = try Program.belfry(data + ["--file", "-"])
        told.write("[]\n")
        told.closeInput()
        #expect(try await told.exitCode() == 1)
        #expect(told.output.events == ["accepted 0, refused 1"])
        #expect(told.errors.events.first?.hasPrefix("line 1: refused with 400") == true)

        let missing = try Program.belfry(data + ["--file", hub.folder.file("none")])
        #expect(try await missing.exitCode() == 1)
        for wrong in [["{}"], ["--tags", "a"], ["--at", "+1h"], ["--test"], ["--format", "gcm"]] {
            let program = try Program.belfry(data + ["--file", "-"] + wrong)
            #expect(try await program.exitCode() == 64, "\(wrong)")
        }
        #expect(try await hub.terminate() == 0)
    }

    @Test("device prints the documented lines; killed and restarted it loses and repeats nothing")
    func device() async throws {
        let hub = try await RunningHub.start()
        let state = hub.folder.file("phone.state")
        let first = try Self.device(hub, state)
        try await first.output.wait(for: "a registration") { lines in
            lines.contains { $0.contains(#""event":"registered""#) }
        }
        let sender = try SenderClient(hub.connection)
        let texts = (1...6).map { #"{"aps":{"alert":"number \#($0)"}}"# }
        for text in texts[0..<3] {
            _ = try await sender.send(.native(.apple, body: Array(text.utf8), tags: "World"))
        }
        try await first.output.wait(for: "three notifications") { lines in
            lines.count { $0.contains(#""event":"notification""#) } == 3
        }
        first.signal(SIGKILL)
        _ = try await first.exitCode()
        for text in texts[3...] {
            _ = try await sender.send(.native(.apple, body: Array(text.utf8), tags: "World"))
        }
        await sender.close()
        let second = try Self.device(hub, state)
        try await second.output.wait(for: "number 6") { lines in
            lines.contains { $0.contains("number 6") }
        }
        second.signal(SIGTERM)
        #expect(try await second.exitCode() == 0, "\(second.errors.events)")

        let before = try Self.lines(first)
        let after = try Self.lines(second)
        let connected = try #require(before.first?.session)
        #expect(connected.outcome == "fresh" && connected.handle == nil)
        let registered = before.compactMap(\.registration).first
        #expect(registered?.registration == 0 && registered?.platform == "apple")
        #expect(registered?.tags == ["World"])
        let resumed = after.compactMap(\.session).first
        #expect(resumed?.outcome == "resumed" && resumed?.device == connected.device)

        let shown = before.compactMap(\.notification)
        for (line, seq) in zip(shown, UInt64(1)...) {
            #expect(line.seq == seq)
            #expect(line.registration == 0 && line.platform == "apple" && line.tags == ["World"])
            #expect(UUID(uuidString: line.id) != nil)
            #expect(line.receivedAt.hasSuffix("Z"))
        }
        // The kill may come between showing a notification and noting that it was dealt with: the
        // app is then shown it again from its own store, under the same id; the hub never repeats.
        let later = after.compactMap(\.notification)
        let again = later.filter { line in shown.contains { $0.id == line.id } }
        #expect(shown.suffix(again.count).map(\.id) == again.map(\.id), "\(again)")
        #expect(shown.compactMap(\.payload) == Array(texts[0..<3]))
        #expect(
            later.filter { line in !again.contains(line) }.compactMap(\.payload)
                == Array(texts[3...])
        )
        #expect(try await hub.terminate() == 0)
    }

    @Test("two devices with one state: the second says that it is in use and exits 1")
    func stateInUse() async throws {
        let hub = try await RunningHub.start()
        let state = hub.folder.file("phone.state")
        let first = try Self.device(hub, state)
        try await first.output.wait(for: "a registration") { lines in
            lines.contains { $0.contains(#""event":"registered""#) }
        }
        let second = try Self.device(hub, state)
        #expect(try await second.exitCode() == 1)
        #expect(second.errors.events == ["Error: \(state) is in use by another device"])
        #expect(second.output.events == [])
        first.signal(SIGKILL)
        _ = try await first.exitCode()
        // A lock dies with its holder, however that ends.
        let third = try Self.device(hub, state)
        try await third.output.wait(for: "a session") { lines in
            lines.contains { $0.contains(#""event":"connected""#) }
        }
        third.signal(SIGTERM)
        #expect(try await third.exitCode() == 0, "\(third.errors.events)")
        #expect(try await hub.terminate() == 0)
    }

    @Test("connection.json names the authority by its whole path, however it was given")
    func authorityPath() async throws {
        let folder = ScenarioFolder()
        try SelfSigned.make("own", in: folder)
        let here = FileManager.default.currentDirectoryPath.split(separator: "/")
        let relative = here.map { _ in ".." }.joined(separator: "/") + folder.path
        let hub = try await RunningHub.start([
            "--certificate", relative + "/own.pem", "--key", relative + "/own-key.pem",
        ])
        #expect(hub.connection.ca == folder.file("own.pem"))
        #expect(try await hub.terminate() == 0)
    }

    @Test("bench fanout verifies what it measures")
    func bench() async throws {
        let bench = try Program.belfry(
            ["bench", "fanout", "--devices", "50", "--notifications", "6", "--json"]
        )
        let code = try await bench.exitCode(seconds: 180)
        #expect(code == 0, "\(bench.errors.events)")
        // Not a terminal: a run of a few seconds says nothing beside its result.
        #expect(bench.errors.events == [])
        let text = bench.output.events.joined(separator: "\n")
        let result = try JSONDecoder().decode(BenchReport.self, from: Data(text.utf8))
        #expect(result.isExact)
        #expect(result.counts.delivered == 300)
    }

    @Test(
        "wrong usage is 64, help is 0",
        arguments: [
            ("serve", 64), ("demo --scenario far", 64), ("demo --people people.json", 64),
            ("serve --data x --rest-port many", 64),
            ("serve --data x --device-port 70000", 64), ("fly", 64),
            ("bench fanout --devices 0", 64), ("bench targeted --http 3", 64),
            ("bench rest --connections 1,x", 64), ("bench idle --records mine", 64),
            ("bench segments --rate 0", 64), ("bench compare only-one", 64),
            ("device --data x --platform pigeon", 64),
            ("--help", 0), ("serve --help", 0),
        ] as [(String, Int32)]
    )
    func usage(_ line: String, _ expected: Int32) async throws {
        let program = try Program.belfry(line.split(separator: " ").map(String.init))
        let code = try await program.exitCode()
        #expect(code == expected, "\(program.errors.events)")
    }

    private static func device(_ hub: RunningHub, _ state: String) throws -> Program {
        try Program.belfry([
            "device", "--data", hub.folder.path, "--tag", "World", "--platform", "apple", "--json",
            "--state", state,
        ])
    }

    private static func lines(_ program: Program) throws -> [DeviceLine] {
        try program.output.events.map {
            try JSONDecoder().decode(DeviceLine.self, from: Data($0.utf8))
        }
    }
}

extension DeviceLine {
    /// The session of a line that tells of one.
    fileprivate var session: Connected? {
        if case .connected(let session) = self { session } else { nil }
    }

    /// The registration of a line that tells of one.
    fileprivate var registration: Registered? {
        if case .registered(let registration) = self { registration } else { nil }
    }

    /// The notification of a line that tells of one.
    fileprivate var notification: Notification? {
        if case .notification(let notification) = self { notification } else { nil }
    }
}
