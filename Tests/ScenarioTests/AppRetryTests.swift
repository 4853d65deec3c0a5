import DeviceEmulator
import Foundation
import HubClient
import Testing

/// What an app does when its backend says that a registration is gone.
@Suite("A registration that is gone")
struct AppRetryTests {
    @Test("the app asks for a new id and tries once more, and then no more", arguments: [1, 2])
    func once(gone: Int) async throws {
        try await HostedHub.run { hub in
            let listen = try ConnectionString(parsing: hub.connection.connectionStrings.listen)
            let now = UInt64(Date().timeIntervalSince1970 * 1_000)
            let token = ListenTokens(listen, hub: "hub").token(atMilliseconds: now)
            let login =
                #"{"User":"alice","AccessToken":"x","AccessTokenExpiresInSeconds":600,"Hub":"hub","#
                + #""DeviceHost":"\#(hub.connection.devices.host)","#
                + #""DevicePort":\#(hub.connection.devices.port),"#
                + #""ListenToken":\#(PlatformPayload.json(token)),"#
                + #""ListenTokenExpiresInSeconds":300}"#
            func id(_ text: String) -> MuteHub.Reaction { .reply(200, [:], body: "\"\(text)\"") }
            let last: MuteHub.Reaction = gone == 1 ? .status(200) : .status(410)
            let mute = try await MuteHub(
                like: hub,
                [.reply(200, [:], body: login), id("1-1-1"), .status(410), id("2-2-2"), last]
            )
            let file = try ConnectionFile(dataFolder: mute.folder.path)
            let folder = TemporaryFolder()
            var configuration = PhoneApp.Configuration(platform: .apple, folder: folder.path)
            configuration.backend = BackendFile(
                host: "localhost",
                port: Int(file.rest.port),
                ca: file.ca
            )
            let lines = EventLog<PhoneLine>()
            let app = try PhoneApp(configuration) { lines.append($0) }
            if gone == 1 {
                try await app.begin(("alice", "a good password"))
                #expect(lines.events.contains { $0.event == .registered && $0.id == "2-2-2" })
            } else {
                await #expect(throws: PhoneFault.self) {
                    try await app.begin(("alice", "a good password"))
                }
                #expect(!lines.events.contains { $0.event == .registered })
            }
            await app.close()
            let asked = mute.requests.events.map { request in
                String(request.line.prefix { $0 != "?" })
            }
            #expect(
                asked == [
                    "POST /api/login", "POST /api/register", "PUT /api/register/1-1-1",
                    "POST /api/register", "PUT /api/register/2-2-2",
                ]
            )
            try await mute.close()
        }
    }
}
