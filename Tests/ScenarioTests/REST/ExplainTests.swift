import Foundation
import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

@Suite("Why a notification did or did not arrive")
struct ExplainTests {
    /// `belfry explain` with a running hub; its exit code and lines.
    private static func ran(
        _ hub: RunningHub,
        _ arguments: [String]
    ) async throws -> (code: Int32, lines: [String]) {
        let program = try Program.belfry(["explain", "--data", hub.folder.path] + arguments)
        let code = try await program.exitCode()
        return (code, program.output.events)
    }

    @Test("is told on the command line and by the SDK, also after a restart")
    func told() async throws {
        let hub = try await RunningHub.startRestartable()
        let phone = try await Phone.subscribed(
            hub.connection,
            RegistrationChoice(platform: .apple, tags: ["World"])
        )
        let sender = try SenderClient(hub.connection)
        let body = Array(#"{"aps":{"alert":"x"}}"#.utf8)
        let other = try await sender.send(.native(.apple, body: body, tags: "World && Sports"))
        let mine = try await sender.send(.native(.apple, body: body, tags: "World"))
        let template = try await sender.send(.template(["a": "b"], tags: "World"))
        try await phone.receive(1)
        let handle = phone.handle
        let failed = try await sender.explain(notification: other.id, device: handle)
        #expect(failed.reason == "tagsDiffer")
        #expect(failed.registrations.first?.part == "Sports")
        #expect(failed.registrations.first?.platform == "apple")
        #expect(failed.registrations.first?.tags == ["World"])
        #expect(failed.registrations.first?.terms?.map(\.holds) == [true, false])
        #expect(failed.receivers == "World && Sports" && failed.place == 1)
        #expect(!failed.json.lowercased().contains(handle.lowercased()))
        let differs = try await sender.explain(notification: template.id, device: handle)
        #expect(differs.reason == "formatDiffers")
        await phone.close()
        #expect(try await hub.terminate() == 0)

        let again = try await hub.startedAgain()
        // By the device's id, the first half of its handle.
        let device = String(handle.prefix(32))
        let stored = try await Self.ran(again, [mine.id, "--device", device])
        #expect(stored.code == 0)
        #expect(
            stored.lines.first?.hasPrefix("The device has stored it") == true,
            "\(stored.lines)"
        )
        #expect(stored.lines.dropFirst().first?.hasSuffix(", for World") == true, "\(stored.lines)")
        #expect(stored.lines.contains { $0.hasSuffix("had World from place 1 on") })
        #expect(stored.lines.contains { $0.hasSuffix("  ✓ World") }, "\(stored.lines)")
        let late = try await sender.send(.native(.apple, body: body, tags: "World"))
        let waiting = try await Self.ran(again, [late.id, "--device", device, "--json"])
        #expect(waiting.lines.joined().contains(#""reason":"waiting""#), "\(waiting.lines)")
        let id = try #require(failed.registrations.first?.registration)
        let byID = try await Self.ran(again, [late.id, "--registration", id])
        #expect(byID.lines.first?.hasPrefix("It waits for the device") == true, "\(byID.lines)")
        let unknown = try await Self.ran(again, [mine.id, "--registration", "1-1-1"])
        #expect(unknown.code == 1)
        #expect(unknown.lines == ["There is no such registration, and none was deleted."])
        for wrong in [[mine.id], [mine.id, "--device", device, "--registration", id]] {
            #expect(try await Self.ran(again, wrong).code == 64, "\(wrong)")
        }
        #expect(try await Self.ran(again, ["nonsense", "--device", device]).code == 64)
        await sender.close()
        #expect(try await again.terminate() == 0)
    }
}
