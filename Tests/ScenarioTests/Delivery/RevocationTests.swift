import Foundation
import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

@Suite("A revoked device", .timeLimit(.minutes(2)))
struct RevocationTests {
    private static let choice = RegistrationChoice(platform: .apple, tags: ["World"])

    @Test("loses its session, and only a token brings it back, also after a restart")
    func revoked() async throws {
        var hub = try await RunningHub.startRestartable()
        let store = MemoryDeviceStore()
        let phone = try Phone(hub.connection, name: "lost", store: store)
        try await phone.register(Self.choice)
        let stolen = store.state
        let other = try await Phone.subscribed(hub.connection, name: "kept", Self.choice)
        let handle = phone.handle
        let program = try Program.belfry([
            "revoke", "--data", hub.folder.path, "--device", handle, "--json",
        ])
        #expect(try await program.exitCode() == 0, "\(program.errors.events)")
        let answer = try #require(program.output.events.first)
        #expect(answer.contains(#""generation":1"#), "\(answer)")
        try await phone.disconnected(times: 1)
        let again = try Program.belfry([
            "revoke", "--data", hub.folder.path, "--device", handle,
        ])
        #expect(try await again.exitCode() == 1, "the handle is worthless")
        #expect(again.errors.events.joined().contains("No such device"))
        phone.reconnect()
        try await phone.connected(times: 2)
        #expect(phone.openings.map(\.isNewIdentity) == [true, true])
        #expect(phone.handle != handle)
        await phone.close()
        for _ in 0..<2 {
            let copy = MemoryDeviceStore(state: stolen)
            let back = try Phone(hub.connection, name: "back", store: copy)
            try await back.disconnected(times: 1)
            #expect(back.openings.isEmpty)
            await back.close()
            try await hub.kill()
            hub = try await hub.startedAgain()
        }
        let anew = try Phone(hub.connection, name: "anew", store: store)
        try await anew.register(Self.choice)
        let sender = try SenderClient(hub.connection)
        let body = Array(NewsFormat.payload(.apple, "hello").utf8)
        _ = try await sender.send(.native(.apple, body: body, tags: "World"))
        other.reconnect()
        try await other.receive(containing: "hello")
        try await anew.receive(containing: "hello")
        await other.close()
        await anew.close()
        await sender.close()
        #expect(try await hub.terminate() == 0)
    }
}
