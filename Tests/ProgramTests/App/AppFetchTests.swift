import AppBackend
import DeviceEmulator
import Foundation
import HubClient
import HubSender
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// How the phone's app fetches what notifications name, and what stays of it on the disk.
@Suite("Fetching on the phone")
struct AppFetchTests {
    private static let template =
        #"{"aps":{"content-available":1,"sound":""},"richId":"$(id)","#
        + #""richMessage":"$(messageParam)","richType":"img"}"#

    private static let picture = MuteHub.Reaction.reply(
        200,
        ["Content-Type": "image/png"],
        body: "a picture"
    )

    private static func send(_ id: String, _ hub: HostedHub) async throws {
        let sender = try SenderClient(hub.connection)
        let properties = ["id": id, "messageParam": "number \(id)"]
        _ = try await sender.send(.template(properties, tags: "World"))
        await sender.close()
    }

    /// An app that is logged in and gets silent notifications of the category World.
    private static func subscribed(
        _ folder: ScenarioFolder,
        _ mute: MuteHub
    ) async throws -> ScriptedApp {
        let phone = try ScriptedApp(folder, try mute.backend())
        try await phone.app.begin(("alice", "a good password"))
        let subscribe = PhoneCommand(.subscribe, tags: ["World"], text: template)
        #expect(await phone.perform(subscribe) == nil)
        return phone
    }

    @Test("one fetch that hangs stops no other, nor the end; all is shown in order after it")
    func hanging() async throws {
        try await HostedHub.run { hub in
            let login = try MuteHub.login("alice", hub)
            let id = MuteHub.Reaction.reply(200, [:], body: "\"1-1-1\"")
            let mute = try await MuteHub(
                like: hub,
                [login, id, .status(200), .stillness, Self.picture]
            )
            let folder = ScenarioFolder()
            var phone: ScriptedApp? = try await Self.subscribed(folder, mute)
            try await Self.send("1", hub)
            try await mute.requests.wait(for: "the first fetch") { requests in
                requests.contains { $0.line == "GET /api/notifications/1" }
            }
            try await Self.send("2", hub)
            try await Self.send("none", hub)
            try await phone?.until("the second fetch and a text") { lines in
                lines.contains { $0.fetch?.content?.id == "2" }
                    && lines.count { $0.event == .push } == 3
            }
            await phone?.app.close()
            let events = phone?.lines.events ?? []
            #expect(!events.contains { $0.event == .shown }, "\(events)")
            #expect(!events.contains { $0.text == "failed" }, "\(events)")
            phone = nil

            let backend = try mute.backend()
            let again = try AppProcess(
                folder,
                ["--backend", "https://localhost:\(backend.port)", "--ca", backend.ca ?? ""]
            )
            let lines = try await again.until("all three") { lines in
                lines.count { $0.event == .shown } == 3
            }
            let shown = lines.filter { $0.event == .shown }.compactMap(\.text)
            #expect(shown.prefix(2) == ["number 1", "number 2"])
            #expect(shown.last?.contains("none") == true)
            try await again.end()
            try await mute.close()
        }
    }

    @Test("so many fetches at once, and the next one when there is room")
    func bound() async throws {
        #expect(FetchLimits.countMax == 4 && FetchLimits.seconds == 30)
        try await HostedHub.run { hub in
            let login = try MuteHub.login("alice", hub)
            let id = MuteHub.Reaction.reply(200, [:], body: "\"1-1-1\"")
            let mute = try await MuteHub(like: hub, [login, id, .status(200), .stillness])
            let phone = try await Self.subscribed(ScenarioFolder(), mute)
            for number in 1...FetchLimits.countMax + 1 { try await Self.send("\(number)", hub) }
            try await phone.until("all notifications") { lines in
                lines.count { $0.event == .push } == FetchLimits.countMax + 1
            }
            let requests = try await mute.requests.wait(for: "the fetches") { requests in
                requests.count { $0.line.hasPrefix("GET ") } >= FetchLimits.countMax
            }
            let asked = Set(requests.map(\.line).filter { $0.hasPrefix("GET ") })
            #expect(asked == Set((1...4).map { "GET /api/notifications/\($0)" }))
            await phone.app.close()
            try await mute.close()
        }
    }

    @Test("content that arrives for a user who has left leaves no file")
    func leftMeanwhile() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let file = try BackendFile(folder: backend.options.data)
            let phone = try ScriptedApp(folder, file) { configuration in
                configuration.isInForeground = false
                configuration.backgroundDelay = .seconds(2)
            }
            try await phone.app.begin(("alice", "password of alice"))
            let sent = try await backend.ask(.POST, "/api/notifications", as: "alice")
            #expect(sent.status == 200, "\(sent.text)")
            try await phone.until("a fetch") { lines in
                lines.contains { $0.fetch?.outcome == .newData }
            }
            #expect(await phone.perform(PhoneCommand(.logOut)) == nil)
            let logIn = PhoneCommand(.logIn, user: "bob", password: "password of bob")
            #expect(await phone.perform(logIn) == nil)
            #expect(Self.content(folder) == [])
            await phone.app.close()
        }
    }

    @Test("at a start files that no entry names go, and those of the inbox stay")
    func strays() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            let folder = ScenarioFolder()
            let app = try AppProcess(folder, backend, user: "alice")
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            try await app.perform(PhoneCommand(.sendRich))
            try await app.until("a picture") { $0.contains { $0.event == .shown } }
            let before = Self.content(folder)
            #expect(before.count == 1)
            try await app.kill()
            try folder.write("of the user before", to: "phone/content/4711.png")
            let again = try AppProcess(folder, backend)
            try await again.perform(PhoneCommand(.open))
            #expect(Self.content(folder) == before)
            try await again.perform(PhoneCommand(.logOut))
            #expect(Self.content(folder) == [])
            try await again.end()
        }
    }

    private static func content(_ folder: ScenarioFolder) -> [String] {
        let path = folder.file("phone/content")
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}
