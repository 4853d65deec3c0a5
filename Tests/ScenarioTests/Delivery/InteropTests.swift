import Foundation
import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

/// The client in Python's standard library, written from Protocol/ alone.
@Suite("A client of another language")
struct InteropTests {
    private static let client = SourceTree.path("Tests/Outside/Interop/client.py")

    @Test("agrees with every vector")
    func vectors() async throws {
        let program = try Program.named(
            "python3",
            [Self.client, "vectors", SourceTree.path("Protocol/vectors")]
        )
        #expect(try await program.exitCode() == 0, "\(program.output.events)")
        let line = try #require(program.output.events.last)
        let said = try JSONDecoder().decode(VectorsLine.self, from: Data(line.utf8))
        #expect(said.checked >= 150)
        #expect(said.failed == [])
    }

    @Test("reads the same exporter value as OpenSSL's own tool")
    func exporter() async throws {
        let script = SourceTree.path("Tests/Outside/Interop/check_exporter.sh")
        let program = try Program.named("sh", [script])
        let code = try await program.exitCode()
        #expect(code == 0, "\(program.output.events) \(program.errors.events)")
    }

    @Test("registers, receives, acknowledges, is cut off and resumes with its key")
    func session() async throws {
        let hub = try await RunningHub.startRestartable()
        let state = hub.folder.file("python-state.json")
        let first = try Self.session(
            hub.connection,
            state: state,
            ["--cut-after", "2", "--expect", "9"]
        )
        try await first.output.wait(for: "a registration") { lines in
            lines.contains { $0.contains(#""registered""#) }
        }
        let sender = try SenderClient(hub.connection)
        for number in 1...2 {
            _ = try await sender.send(Self.notification(number))
        }
        // It ends without BYE, and without having acknowledged the last notification.
        #expect(try await first.exitCode() == 0, "\(first.output.events)")
        #expect(try Self.lines(first).map(\.event).last == "cut")
        for number in 3...4 {
            _ = try await sender.send(Self.notification(number))
        }
        let second = try Self.session(hub.connection, state: state, ["--expect", "2"])
        #expect(try await second.exitCode() == 0, "\(second.output.events)")

        let before = try Self.lines(first)
        let after = try Self.lines(second)
        #expect(before.first?.resume == "FRESH")
        #expect(after.first?.resume == "RESUMED")
        #expect(after.first?.device == before.first?.device)
        #expect(!after.contains { $0.event == "registered" }, "its registration survived")
        let all = (before + after).filter { $0.event == "notification" && $0.duplicate == false }
        #expect(all.map(\.payload) == (1...4).map { NewsFormat.payload(.apple, "number \($0)") })
        #expect(all.allSatisfy { $0.codec == 2 && $0.platform == 0 })

        // The hub is restarted and the stored key still proves the device.
        await sender.close()
        #expect(try await hub.terminate() == 0)
        let again = try await hub.startedAgain()
        let later = try SenderClient(again.connection)
        _ = try await later.send(Self.notification(5))
        await later.close()
        let third = try Self.session(again.connection, state: state, ["--expect", "1"])
        #expect(try await third.exitCode() == 0, "\(third.output.events)")
        let last = try Self.lines(third)
        #expect(last.first?.resume == "RESUMED")
        #expect(last.last?.payload == NewsFormat.payload(.apple, "number 5"))
        #expect(try await again.terminate() == 0)
    }

    // MARK: Lines of the client

    private struct VectorsLine: Decodable {
        var checked: Int
        var failed: [String]
    }

    private struct SessionLine: Decodable {
        var event: String
        var resume: String?
        var device: String?
        var payload: String?
        var duplicate: Bool?
        var codec: Int?
        var platform: Int?
    }

    private static func lines(_ program: Program) throws -> [SessionLine] {
        try program.output.events.map {
            try JSONDecoder().decode(SessionLine.self, from: Data($0.utf8))
        }
    }

    private static func notification(_ number: Int) -> OutgoingNotification {
        .native(
            .apple,
            body: Array(NewsFormat.payload(.apple, "number \(number)").utf8),
            tags: "World"
        )
    }

    private static func session(
        _ connection: ConnectionFile,
        state: String,
        _ arguments: [String]
    ) throws -> Program {
        let listen = try ConnectionString(parsing: connection.connectionStrings.listen)
        let token = ListenTokens(listen, hub: connection.hub)
            .token(atMilliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        return try Program.named(
            "python3",
            [
                client, "session", "--host", "localhost", "--port", "\(connection.devices.port)",
                "--ca", try #require(connection.ca), "--hub", connection.hub, "--tag", "World",
                "--state", state, "--token", token,
            ] + arguments
        )
    }
}
