import Foundation
import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// `--hub` beside `--data` chooses among the hubs of one server.
@Suite("Commands name their hub")
struct NamedHubTests {
    private static let entry =
        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
        + "<NotificationHubDescription xmlns="
        + "\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"/>"
        + "</content></entry>"

    /// A server with the hubs `hub` and `second`.
    private static func twoHubs() async throws -> RunningHub {
        let hub = try await RunningHub.start()
        let caller = try RESTCaller(hub.connection)
        let namespace = try #require(hub.connection.connectionStrings.namespace)
        let made = try await caller.perform(
            .PUT,
            "second",
            body: entry,
            authorization: caller.token(namespace, path: "")
        )
        #expect(made.status == 201, "\(made.text)")
        return hub
    }

    private static func ran(
        _ arguments: [String]
    ) async throws -> (code: Int32, output: String, errors: String) {
        let program = try Program.belfry(arguments)
        let code = try await program.exitCode()
        return (
            code, program.output.events.joined(separator: "\n"),
            program.errors.events.joined(separator: "\n")
        )
    }

    @Test("and act on that hub alone")
    func chooses() async throws {
        let hub = try await Self.twoHubs()
        let data = ["--data", hub.folder.path]
        let second = data + ["--hub", "second"]
        let body = #"{"messageParam":"Hello"}"#
        let first = try await Self.ran(["send", "--json"] + data + [body])
        #expect(first.output.contains("/hub/messages/"), "\(first)")
        let other = try await Self.ran(["send", "--json"] + second + [body])
        #expect(other.code == 0 && other.output.contains("/second/messages/"), "\(other)")

        let set = try await Self.ran(["settings", "--json", "--device-cap", "77"] + second)
        #expect(set.code == 0 && set.output.contains("77"), "\(set)")
        let unset = try await Self.ran(["settings", "--json"] + data)
        #expect(unset.code == 0 && !unset.output.contains("77"), "\(unset)")

        // A second send makes the two logs differ in length.
        #expect(try await Self.ran(["send"] + data + [body]).code == 0)
        let purged = try await Self.ran(["purge", "--all", "--yes"] + second)
        #expect(purged.code == 0 && purged.output == "purged through 1", "\(purged)")
        let own = try await Self.ran(["purge", "--all", "--yes", "--hub", "HUB"] + data)
        #expect(own.code == 0 && own.output == "purged through 2", "\(own)")
        #expect(try await hub.terminate() == 0)
    }

    @Test("and fail when there is no such hub")
    func unknown() async throws {
        let hub = try await RunningHub.start()
        let nowhere = ["--data", hub.folder.path, "--hub", "nowhere"]
        let device = ["--device", String(repeating: "ab", count: 16)]
        let notification = "0193a5c2-d7e3-7b5a-917d-5c0a9be83f10"
        for command in [
            ["send", #"{"messageParam":"Hello"}"#], ["settings"], ["purge", "--all", "--yes"],
            ["revoke"] + device, ["explain", notification] + device,
        ] {
            let told = try await Self.ran(command + nowhere)
            #expect(told.code == 1, "\(command) \(told)")
            #expect(told.errors.contains("404"), "\(command) \(told)")
        }
        #expect(try await hub.terminate() == 0)
    }
}
