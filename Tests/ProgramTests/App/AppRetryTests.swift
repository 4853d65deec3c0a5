import DeviceEmulator
import Testing

@testable import ScenarioSupport

/// What an app does when its backend says that a registration is gone.
@Suite("A registration that is gone")
struct AppRetryTests {
    @Test("the app asks for a new id and tries once more, and then no more", arguments: [1, 2])
    func once(gone: Int) async throws {
        try await HostedHub.run { hub in
            let login = try MuteHub.login("alice", hub)
            func id(_ text: String) -> MuteHub.Reaction { .reply(200, [:], body: "\"\(text)\"") }
            let last: MuteHub.Reaction = gone == 1 ? .status(200) : .status(410)
            let mute = try await MuteHub(
                like: hub,
                [login, id("1-1-1"), .status(410), id("2-2-2"), last]
            )
            let phone = try ScriptedApp(ScenarioFolder(), try mute.backend())
            let (app, lines) = (phone.app, phone.lines)
            if gone == 1 {
                try await app.begin(("alice", "a good password"))
                #expect(lines.events.contains { $0.registered?.id == "2-2-2" })
            } else {
                await #expect(throws: PhoneFault.self) {
                    try await app.begin(("alice", "a good password"))
                }
                #expect(!lines.events.contains { $0.event == .registered })
            }
            await app.close()
            #expect(
                mute.paths == [
                    "POST /api/login", "POST /api/register", "PUT /api/register/1-1-1",
                    "POST /api/register", "PUT /api/register/2-2-2",
                ]
            )
            try await mute.close()
        }
    }
}
