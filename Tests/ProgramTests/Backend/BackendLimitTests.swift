import AppBackend
import DeviceEmulator
import Foundation
import HubClient
import HubSender
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// The limits that only a whole backend has; the others are tested in `AppBackendTests`.
@Suite("Limits of the app backend")
struct BackendLimitTests {
    private static let handle = String(repeating: "ab", count: 32)

    @Test("a secure payload has its bytes, and the ids of content end")
    func content() async throws {
        try await HostedBackend.run { limits in
            limits.content.secureBytesMax = 100
            limits.content.idMax = 1
        } _: { _, backend in
            try backend.add("alice")
            for (count, status) in [(101, 413), (100, 200), (100, 507)] {
                let payload = String(repeating: "p", count: count)
                let answer = try await backend.ask(
                    .POST,
                    "/api/notifications",
                    as: "alice",
                    json: #"{"kind":"secure","payload":"\#(payload)"}"#
                )
                #expect(answer.status == status, "\(count) \(answer.text)")
            }
        }
    }

    @Test("a registration has its tags, a tag its bytes, and a body its own")
    func registration() async throws {
        try await HostedBackend.run { limits in
            limits.registrations.tagsMax = 3
            limits.registrations.tagBytesMax = 20
            limits.requests.bodyBytesMax = 400
        } _: { hub, backend in
            try backend.add("alice")
            let phone = try await Phone.bare(hub.connection)
            let long = String(repeating: "t", count: 20)
            for (tags, status) in [
                (["a", "b", "c"], 200), (["a", "b", "c", "d"], 400), ([long], 200),
                ([long + "t"], 400),
            ] {
                let answer = try await backend.put(
                    "alice",
                    id: "1-1-1",
                    handle: phone.handle,
                    tags: tags
                )
                #expect(answer.status == status, "\(tags) \(answer.text)")
            }
            let body = #"{"Platform":"apns","Handle":"\#(phone.handle)","Tags":[]}"#
            for (count, status) in [(400, 200), (401, 413)] {
                let padded = body + String(repeating: " ", count: count - body.utf8.count)
                let answer = try await backend.ask(
                    .PUT,
                    "/api/register/1-1-1",
                    as: "alice",
                    json: padded
                )
                #expect(answer.status == status, "\(count) \(answer.text)")
            }
            await phone.close()
        }
    }

    @Test("a body that takes longer than its seconds is 408")
    func bodyTime() async throws {
        try await HostedBackend.run { limits in
            limits.requests.bodySeconds = 0
        } _: { _, backend in
            try backend.add("alice")
            let late = try await backend.ask(
                .PUT,
                "/api/register/1-1-1",
                as: "alice",
                json: #"{"Platform":"apns","Handle":"\#(Self.handle)"}"#
            )
            #expect(late.status == 408, "\(late.text)")
            #expect(try await backend.ask(.POST, "/api/login", as: "alice").status == 200)
        }
    }

    @Test("a login says how long its tokens are valid, and they say the same")
    func tokens() async throws {
        try await HostedBackend.run { limits in
            limits.users.listenTokenSeconds = 77
            limits.users.accessTokenSeconds = 99
        } _: { _, backend in
            try backend.add("alice")
            let before = Int(Date().timeIntervalSince1970)
            let login = try await backend.ask(.POST, "/api/login", as: "alice")
            let after = Int(Date().timeIntervalSince1970)
            #expect(login.member("ListenTokenExpiresInSeconds") == "77")
            #expect(login.member("AccessTokenExpiresInSeconds") == "99")
            let parts = login.member("ListenToken")?.components(separatedBy: "&se=") ?? []
            let expiry = parts.last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            #expect((before + 77...after + 77).contains(expiry), "\(expiry)")
        }
    }

    @Test("what is noted of a user who left while the hub was away is done when it is back")
    func departures() async throws {
        var hub = try await RunningHub.startRestartable()
        let backend = try await HostedBackend(hubData: hub.folder.path) { limits in
            limits.hub.patienceSeconds = 5
            limits.registrations.deletionSeconds = 1
        }
        try backend.add("alice")
        let phone = try await Phone.bare(hub.connection)
        try await backend.register("alice", handle: phone.handle)
        await phone.close()
        #expect(try await hub.terminate() == 0)
        #expect(try await backend.ask(.POST, "/api/logout", as: "alice").status == 503)
        hub = try await hub.startedAgain()
        let sender = try SenderClient(hub.connection)
        try await eventually("a hub that has forgotten the user") {
            try await sender.registrations(tag: "username:alice").isEmpty
        }
        await sender.close()
        try await backend.stop()
        #expect(try await hub.terminate() == 0)
    }

    @Test("an app registers again a day after it was confirmed, and not before")
    func confirmation() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            let folder = ScenarioFolder()
            let first = try AppProcess(folder, backend, user: "alice")
            try await first.until("a registration") { $0.contains { $0.event == .registered } }
            try await first.end()
            #expect(PhoneMemory.confirmationSeconds == 86_400)
            for (age, isRepeated) in [(86_000, false), (86_400, true)] as [(Int64, Bool)] {
                var memory = try PhoneMemory(folder: folder.file("phone"))
                memory.confirmed?.at = Int64(Date().timeIntervalSince1970) - age
                try memory.write(to: folder.file("phone/app.json"))
                let again = try AppProcess(folder, backend)
                try await again.until("a connection") { $0.contains { $0.event == .connected } }
                // A command is carried out behind the start.
                try await again.perform(PhoneCommand(.inbox))
                let registered = again.lines.contains { $0.registered?.id != nil }
                #expect(registered == isRepeated, "\(age) \(again.lines)")
                try await again.end()
            }
            let standard = PhoneSetup(platform: .apple, folder: folder.path)
            #expect(standard.backgroundDelay == .seconds(5))
        }
    }
}
