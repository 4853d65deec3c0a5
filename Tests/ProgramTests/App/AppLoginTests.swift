import AppBackend
import DeviceEmulator
import Foundation
import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

/// What a login of the phone's app is worth: where, for how long, and for whom.
@Suite("The login of an app")
struct AppLoginTests {
    @Test("a logout without a valid login says that it still holds, and one after a login ends it")
    func logOutWithoutLogin() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice")
            let folder = ScenarioFolder()
            let app = try AppProcess(folder, backend, user: "alice")
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            try await app.perform(PhoneCommand(.forgetToken))
            let fault = try await app.fault(of: PhoneCommand(.logOut))
            #expect(fault?.contains("on this phone only") == true, "\(fault ?? "")")
            #expect(fault?.contains("log in once more") == true, "\(fault ?? "")")
            let sender = try SenderClient(hub.connection)
            #expect(try await sender.registrations(tag: "username:alice").count == 1)
            #expect(try await app.fault(of: PhoneCommand(.logOut)) == "log in first")

            let logIn = PhoneCommand(.logIn, user: "alice", password: "password of alice")
            try await app.perform(logIn)
            try await app.perform(PhoneCommand(.logOut))
            #expect(try await sender.registrations(tag: "username:alice").isEmpty)
            await sender.close()
            try await app.end(code: 1)
        }
    }

    @Test("a backend that knows neither token nor password any more has not ended the login")
    func logOutRefused() async throws {
        try await HostedHub.run { hub in
            let login = try MuteHub.login("alice", hub)
            let id = MuteHub.Reaction.reply(200, [:], body: "\"1-1-1\"")
            let mute = try await MuteHub(like: hub, [login, id, .status(200), .status(401)])
            let folder = ScenarioFolder()
            let phone = try ScriptedApp(folder, try mute.backend())
            try await phone.app.begin(("alice", "a good password"))
            let fault = await phone.perform(PhoneCommand(.logOut))
            #expect(fault?.contains("on this phone only") == true, "\(fault ?? "")")
            #expect(mute.paths.suffix(2) == ["POST /api/logout", "POST /api/logout"])
            #expect(phone.lines.events.contains { $0.event == .loggedOut })
            await phone.app.close()
            try await mute.close()
        }
    }

    @Test("a login that was ended on another phone is noticed at the next start, and asked for")
    func endedElsewhere() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let (folder, other) = (ScenarioFolder(), ScenarioFolder())
            let second = try AppProcess(other, backend, user: "alice")
            try await second.until("a registration") { $0.contains { $0.event == .registered } }
            try await second.end()
            let first = try AppProcess(folder, backend, user: "alice")
            try await first.until("a registration") { $0.contains { $0.event == .registered } }
            try await first.perform(PhoneCommand(.logOut))
            try await first.end()

            let again = try AppProcess(other, backend)
            let lines = try await again.until("a start") { lines in
                lines.contains { $0.event == .started }
            }
            #expect(lines.first { $0.event == .started }?.text == nil)
            #expect(lines.first { $0.event == .loginEnded }?.text == "alice")
            #expect(try PhoneMemory(folder: other.file("phone")).accessToken == nil)
            let logIn = PhoneCommand(.logIn, user: "alice", password: "password of alice")
            try await again.perform(logIn)
            #expect(try await backend.send("hello", from: "bob", to: "alice").status == 200)
            try await again.until("a message") { $0.contains { $0.text == "From bob: hello" } }
            try await again.end()
        }
    }

    @Test("a running app notices it with the next thing that it asks for")
    func endedWhileRunning() async throws {
        try await HostedHub.run { hub in
            let login = try MuteHub.login("alice", hub)
            let id = MuteHub.Reaction.reply(200, [:], body: "\"1-1-1\"")
            let mute = try await MuteHub(like: hub, [login, id, .status(200), .status(401)])
            let phone = try ScriptedApp(ScenarioFolder(), try mute.backend())
            try await phone.app.begin(("alice", "a good password"))
            #expect(await PhoneSnapshot(of: phone.app).isRegistered)
            _ = await phone.perform(PhoneCommand(.register))
            #expect(phone.lines.events.contains { $0.event == .loginEnded && $0.text == "alice" })
            let snapshot = await PhoneSnapshot(of: phone.app)
            #expect(snapshot.user == "alice" && !snapshot.isLoggedIn && !snapshot.isRegistered)
            let count = mute.requests.events.count
            #expect(await phone.perform(PhoneCommand(.register)) == "log in first")
            #expect(mute.requests.events.count == count)
            await phone.app.close()
            try await mute.close()
        }
    }

    @Test("a typed password logs in, whatever login the phone remembers")
    func typedLogin() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let app = try AppProcess(folder, backend, user: "alice")
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            try await app.end()
            // The account of another person, who has the same name.
            try await backend.remove("alice")
            try backend.add("alice")
            let again = try AppProcess(folder, backend, user: "alice")
            try await again.until("a registration") { lines in
                lines.contains { $0.event == .loggedIn }
                    && lines.contains { $0.registered?.id != nil }
            }
            #expect(try await backend.send("hello", from: "bob", to: "alice").status == 200)
            try await again.until("a message") { $0.contains { $0.text == "From bob: hello" } }
            try await again.end()
        }
    }

    @Test("an access token goes to the backend that gave it, and to no other")
    func otherBackend() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice")
            let folder = ScenarioFolder()
            let app = try AppProcess(folder, backend, user: "alice")
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            try await app.end()
            let mute = try await MuteHub(like: hub, [.status(404)])
            let other = try mute.backend()
            let away = try AppProcess(
                folder,
                ["--backend", "https://localhost:\(other.port)", "--ca", try #require(other.ca)]
            )
            let lines = try await away.until("a start") { lines in
                lines.contains { $0.event == .started }
            }
            #expect(lines.first { $0.event == .started }?.text == nil)
            #expect(try await away.fault(of: PhoneCommand(.register)) == "log in first")
            try await away.end(code: 1)
            #expect(mute.paths == [])
            try await mute.close()

            // At home it still holds.
            let home = try AppProcess(folder, backend)
            let back = try await home.until("a start") { lines in
                lines.contains { $0.event == .started }
            }
            #expect(back.first { $0.event == .started }?.text == "alice")
            try await home.end()
        }
    }

    @Test("another platform is registered at once, not when a day has passed")
    func otherPlatform() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let first = try AppProcess(folder, backend, user: "alice")
            try await first.until("a registration") { $0.contains { $0.event == .registered } }
            try await first.end()
            let second = try AppProcess(folder, backend, ["--platform", "gcm"])
            try await second.until("a registration") { lines in
                lines.contains { $0.registered?.id != nil }
            }
            let sent = try await backend.send("hello", from: "bob", to: "alice", pns: "gcm")
            #expect(sent.status == 200, "\(sent.text)")
            try await second.until("a message") { $0.contains { $0.text == "From bob: hello" } }
            try await second.end()
        }
    }

    @Test("the registration of the user before goes when the next one logs in without a logout")
    func nextUser() async throws {
        try await HostedBackend.run { limits in
            limits.registrations.perUserMax = 1
        } _: { hub, backend in
            try backend.add("alice", "bob")
            let app = try AppProcess(ScenarioFolder(), backend, user: "alice")
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            let sender = try SenderClient(hub.connection)
            for user in ["bob", "alice", "bob"] {
                let logIn = PhoneCommand(.logIn, user: user, password: "password of \(user)")
                try await app.perform(logIn)
                let last = user == "bob" ? "alice" : "bob"
                #expect(try await sender.registrations(tag: "username:\(last)").isEmpty)
                #expect(try await sender.registrations(tag: "username:\(user)").count == 1)
            }
            await sender.close()
            try await app.end()
        }
    }

    @Test("nobody sends before the backend has confirmed the registration")
    func unregistered() async throws {
        try await HostedHub.run { hub in
            let login = try MuteHub.login("alice", hub)
            let mute = try await MuteHub(like: hub, [login, .status(403)])
            let phone = try ScriptedApp(ScenarioFolder(), try mute.backend())
            await #expect(throws: PhoneFault.refused(status: 403, "")) {
                try await phone.app.begin(("alice", "a good password"))
            }
            let snapshot = await PhoneSnapshot(of: phone.app)
            #expect(snapshot.isLoggedIn && !snapshot.isRegistered)
            for command in [
                PhoneCommand(.send, user: "bob", text: "x", platforms: ["apple"]),
                PhoneCommand(.sendSecure, user: "bob", text: "x"), PhoneCommand(.sendRich),
            ] {
                let fault = await phone.perform(command)
                #expect(fault?.contains("not registered") == true, "\(fault ?? "")")
            }
            #expect(!mute.paths.contains("POST /api/notifications"))
            await phone.app.close()
            try await mute.close()
        }
    }
}
