import AppBackend
import DeviceEmulator
import Foundation
import HubClient
import HubSender
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("The next user of a device")
struct BackendTakeoverTests {
    @Test(
        "gets nothing that was sent to the one before while the device was away",
        arguments: [false, true]
    )
    func backlog(writesOldID: Bool) async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob", "carol")
            let store = MemoryDeviceStore()
            let first = try Phone(hub.connection, store: store)
            try await first.connected(times: 1)
            let handle = first.handle
            let id = try await backend.register("alice", handle: handle)
            #expect(try await backend.send("hello", from: "carol", to: "alice").status == 200)
            try await first.receive(containing: "hello")
            await first.close()
            #expect(try await backend.send("a secret", from: "carol", to: "alice").status == 200)

            if writesOldID {
                let gone = try await backend.put("bob", id: id, handle: handle)
                #expect(gone.status == 410, "\(gone.text)")
            }
            let other = try await backend.register("bob", handle: handle)
            #expect(other != id)
            let sender = try SenderClient(hub.connection)
            let left = try await sender.registrations(handle: handle)
            #expect(left.map(\.id) == [other])
            #expect(left.map(\.tags) == [["username:bob"]])
            await sender.close()

            #expect(try await backend.send("for bob", from: "carol", to: "bob").status == 200)
            let second = try Phone(hub.connection, store: store)
            try await second.receive(containing: "for bob")
            #expect(!second.texts.contains { $0.contains("secret") }, "\(second.texts)")
            await second.close()
        }
    }

    @Test("can register when the one before left while the hub was away")
    func leftWhileAway() async throws {
        var hub = try await RunningHub.startRestartable()
        let backend = try await HostedBackend(hubData: hub.folder.path) { limits in
            limits.hub.patienceSeconds = 5
            limits.registrations.deletionSeconds = 3_600
        }
        try backend.add("alice", "bob")
        let phone = try await Phone.bare(hub.connection)
        let handle = phone.handle
        await phone.close()
        let id = try await backend.register("alice", handle: handle)
        #expect(try await hub.terminate() == 0)
        #expect(try await backend.ask(.POST, "/api/logout", as: "alice").status == 503)
        hub = try await hub.startedAgain()
        let sender = try SenderClient(hub.connection)
        #expect(try await sender.registration(id: id).tags == ["username:alice"])
        let other = try await backend.register("bob", handle: handle)
        #expect(other != id)
        #expect(try await sender.registrations(handle: handle).map(\.id) == [other])
        await sender.close()
        try await backend.stop()
        #expect(try await hub.terminate() == 0)
    }

    @Test("at the limit of registrations one that the hub has forgotten makes room, and no other")
    func makesRoom() async throws {
        try await HostedBackend.run { limits in
            limits.registrations.perUserMax = 2
        } _: { hub, backend in
            try backend.add("alice")
            var handles: [String] = []
            for number in 1...3 {
                let phone = try await Phone.bare(hub.connection, name: "phone \(number)")
                handles.append(phone.handle)
                await phone.close()
            }
            let ids = [
                try await backend.register("alice", handle: handles[0]),
                try await backend.register("alice", handle: handles[1]),
            ]
            let beyond = try await backend.ask(
                .POST,
                "/api/register?handle=\(handles[2])",
                as: "alice"
            )
            #expect(beyond.status == 403 && beyond.text.contains("2 registrations"))
            let sender = try SenderClient(hub.connection)
            try await sender.deleteRegistration(id: ids[1])
            let third = try await backend.register("alice", handle: handles[2])
            let found = try await sender.registrations(tag: "username:alice").map(\.id)
            #expect(Set(found) == [ids[0], third])
            await sender.close()
        }
    }

    @Test("a request that is held open does nothing once its user has logged out")
    func heldOpen() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice")
            let phone = try await Phone.bare(hub.connection)
            let id = try await backend.register("alice", handle: phone.handle)
            let login = try await backend.ask(.POST, "/api/login", as: "alice")
            let token = "Bearer \(login.member("AccessToken") ?? "")"
            let body = #"{"Platform":"apns","Handle":"\#(phone.handle)","Tags":[]}"#
            let link = try await RawLink(
                hub.connection,
                port: UInt16(backend.port),
                .tls(alpn: ["http/1.1"])
            )
            let head =
                "PUT /api/register/\(id) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Authorization: \(token)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n"
            await link.write(Array((head + body.prefix(20)).utf8))
            // Several requests later its head has been read.
            for _ in 0..<3 {
                let other = try await backend.ask(.POST, "/api/login", as: "alice")
                #expect(other.status == 200)
            }
            #expect(try await backend.ask(.POST, "/api/logout", as: "alice").status == 200)
            await link.write(Array(body.dropFirst(20).utf8))
            try await link.closedByHub()
            let answer = String(decoding: Array(link.input.events.joined()), as: UTF8.self)
            let sender = try SenderClient(hub.connection)
            let left = try await sender.registrations(tag: "username:alice")
            #expect(
                answer.hasPrefix("HTTP/1.1 401") || answer.hasPrefix("HTTP/1.1 410"),
                "\(answer)"
            )
            #expect(left.isEmpty)
            await sender.close()
            await phone.close()
        }
    }

    @Test("a new password ends every device's registration and access token")
    func newPassword() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob")
            let phone = try await Phone.bare(hub.connection)
            try await backend.register("alice", handle: phone.handle)
            let login = try await backend.ask(.POST, "/api/login", as: "alice")
            let token = "Bearer \(login.member("AccessToken") ?? "")"
            try await backend.setPassword(of: "alice", "another password")
            let sender = try SenderClient(hub.connection)
            #expect(try await sender.registrations(tag: "username:alice").isEmpty)
            for (header, status) in [
                (token, 401), (HostedBackend.basic("alice"), 401),
                (HostedBackend.basic("alice", password: "another password"), 200),
            ] {
                let answer = try await backend.ask(.POST, "/api/login", authorization: header)
                #expect(answer.status == status, "\(header.prefix(6))")
            }
            await sender.close()
            await phone.close()
        }
    }
}

@Suite("Requests of an app that are repeated")
struct BackendRepeatTests {
    private static let path = "/api/notifications?pns=apns&to_tag=bob"

    private static func text(
        _ backend: HostedBackend,
        as user: String = "alice",
        key: String? = nil
    ) async throws -> HostedBackend.Answer {
        try await backend.ask(
            .POST,
            path,
            authorization: HostedBackend.basic(user),
            headers: key.map { ["Idempotency-Key": $0] } ?? [:],
            body: Array("\"Hi\"".utf8)
        )
    }

    @Test(
        "a send whose outcome is unknown is 500 and invites no repeat; one that never left is 503"
    )
    func outcomes() async throws {
        try await MuteHub.run([.silence], limits: { $0.hub.patienceSeconds = 8 }) { mute, backend in
            try backend.add("alice", "bob")
            let unknown = try await Self.text(backend)
            #expect(unknown.status == 500 && unknown.text.contains("unknown"), "\(unknown.text)")
            #expect(unknown.headers["retry-after"] == nil)
            let keys = mute.requests.events.map { $0.headers["idempotency-key"] ?? "" }
            #expect(keys.count > 1 && Set(keys).count == 1, "\(keys)")
            // What may be repeated is another matter.
            let register = try await backend.ask(.POST, "/api/register", as: "alice")
            #expect(register.status == 503 && register.headers["retry-after"] != nil)
            try await mute.close()
            let away = try await Self.text(backend)
            #expect(away.status == 503, "\(away.text)")
            #expect(away.headers["retry-after"] != nil)
        }
    }

    @Test("a hub that takes requests and never answers is left after the patience")
    func stillness() async throws {
        try await MuteHub.run([.stillness]) { mute, backend in
            try backend.add("alice", "bob")
            let unknown = try await Self.text(backend)
            #expect(unknown.status == 500 && unknown.text.contains("unknown"), "\(unknown.text)")
            #expect(mute.requests.events.count == 1)
        }
    }

    @Test("the app's key is the hub's for its user alone, and one that is none is refused")
    func keys() async throws {
        try await MuteHub.run([.created]) { mute, backend in
            try backend.add("alice", "bob")
            for (user, key) in [
                ("alice", "one"), ("alice", "one"), ("alice", "two"), ("bob", "one"),
            ] {
                #expect(try await Self.text(backend, as: user, key: key).status == 200)
            }
            for _ in 0..<2 { #expect(try await Self.text(backend).status == 200) }
            let keys = mute.requests.events.compactMap { $0.headers["idempotency-key"] }
            #expect(keys.count == 6 && keys[0] == keys[1])
            #expect(Set(keys).count == 5, "\(keys)")
            #expect(keys.allSatisfy { (1...64).contains($0.utf8.count) && !$0.contains("one") })
            let longest = String(repeating: "k", count: 64)
            #expect(try await Self.text(backend, key: longest).status == 200)
            for key in [longest + "k", "a b", "a\u{E4}"] {
                let answer = try await Self.text(backend, key: key)
                #expect(answer.status == 400 && answer.text.contains("Idempotency-Key"), "\(key)")
            }
        }
    }

    @Test("content under a key is kept once, and its id is sent once more under the same key")
    func content() async throws {
        try await MuteHub.run([.silence, .created]) { limits in
            // One attempt for each request.
            limits.hub.patienceSeconds = 0
        } _: { mute, backend in
            try backend.add("alice", "bob")
            func post(_ text: String) async throws -> HostedBackend.Answer {
                try await backend.ask(
                    .POST,
                    "/api/notifications",
                    authorization: HostedBackend.basic("alice"),
                    headers: ["Idempotency-Key": "one"],
                    body: Array(
                        #"{"kind":"secure","to":"bob","payload":"\#(text)"}"#.utf8
                    )
                )
            }
            #expect(try await post("a").status == 500)
            let again = try await post("a")
            #expect(again.status == 200 && again.member("Id") == "1", "\(again.text)")
            #expect(try await post("b").status == 409)
            let requests = mute.requests.events
            #expect(requests.count == 2)
            #expect(Set(requests.map(\.body)).count == 1)
            #expect(Set(requests.compactMap { $0.headers["idempotency-key"] }).count == 1)
        }
    }

    @Test(
        "content goes only when no attempt can have been accepted",
        arguments: [
            ([.status(403)], 404), ([.silence, .status(403)], 200), ([.silence], 200),
            ([.status(503)], 200), ([.status(507)], 200), ([.status(500)], 200),
        ] as [([MuteHub.Reaction], Int)]
    )
    func removal(_ reactions: [MuteHub.Reaction], _ status: Int) async throws {
        try await MuteHub.run(reactions) { mute, backend in
            try backend.add("alice", "bob")
            let sent = try await backend.ask(
                .POST,
                "/api/notifications",
                as: "alice",
                json: #"{"to":"bob"}"#
            )
            #expect(sent.status >= 500, "\(sent.text)")
            let found = try await backend.ask(.GET, "/api/notifications/1", as: "bob")
            #expect(found.status == status, "\(reactions)")
        }
    }
}

@Suite("An app and its users")
struct AppUsersTests {
    @Test("what waits for one user while the app is away is not shown to the next one")
    func waiting() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let first = try AppProcess(folder, backend, user: "alice")
            try await first.until("a registration") { $0.contains { $0.event == .registered } }
            try await first.perform(PhoneCommand(.subscribe, tags: ["World"]))
            try await first.kill()
            #expect(try await backend.send("hers alone", from: "bob", to: "alice").status == 200)

            let second = try AppProcess(folder, backend, user: "bob", ["--trace"])
            try await second.until("both registrations") { lines in
                lines.contains { $0.registered?.id != nil }
                    && lines.contains { $0.registered?.tags == ["World"] }
            }
            #expect(try await backend.send("his", from: "alice", to: "bob").status == 200)
            try await second.until("his") { $0.contains { $0.text == "From alice: his" } }
            #expect(!second.lines.contains { $0.json.contains("hers alone") }, "\(second.lines)")
            // The first one gets hers when she is back, on another device.
            try await second.end()
            // The app asks for no password again: the access token is what the app sends.
            let headers = second.lines.compactMap(\.request?.headers).joined()
            #expect(headers.contains("Authorization: Bearer …"))
            #expect(headers.count { $0.hasPrefix("Authorization: Basic") } == 1, "\(headers)")
        }
    }

    @Test("a logout with the hub away ends the login on the phone all the same, and says why")
    func logOutAway() async throws {
        let hub = try await RunningHub.startRestartable()
        let backend = try await HostedBackend(hubData: hub.folder.path) { limits in
            limits.hub.patienceSeconds = 5
        }
        try backend.add("alice")
        let folder = ScenarioFolder()
        let app = try AppProcess(folder, backend, user: "alice")
        try await app.until("a registration") { $0.contains { $0.event == .registered } }
        #expect(try await hub.terminate() == 0)
        let text = String(
            decoding: try JSONEncoder().encode(PhoneCommand(.logOut)),
            as: UTF8.self
        )
        app.program.write(text + "\n")
        let lines = try await app.until("an end") { lines in
            lines.contains { $0.event == .done }
        }
        #expect(lines.contains { $0.event == .loggedOut })
        #expect(lines.last { $0.event == .done }?.text?.contains("503") == true, "\(lines)")
        try await app.end(code: 1)
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.file("phone/app.json")))
        let memory = try JSONDecoder().decode(PhoneMemory.self, from: file)
        #expect(memory.user == nil && memory.accessToken == nil && memory.registrationID == nil)
        #expect(memory.deviceUser == "alice")
        try await backend.stop()
    }

    @Test("a secure message that can never be read is asked for once more and then left")
    func unreadable() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("bob")
            let folder = ScenarioFolder()
            let app = try AppProcess(folder, backend, user: "bob", ["--trace"])
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            let sender = try SenderClient(hub.connection)
            let silent = ApplePayload(silent: [("secureId", "999")]).json
            _ = try await sender.send(
                .native(.apple, body: Array(silent.utf8), tags: "username:bob")
            )
            await sender.close()
            try await app.until("a hint") { $0.contains { $0.text == PhoneInbox.logInText } }
            let logIn = PhoneCommand(.logIn, user: "bob", password: "password of bob")
            func asked() -> Int {
                app.lines.count { $0.request?.request == "GET /api/notifications/999" }
            }
            try await app.perform(logIn)
            let count = asked()
            try await app.perform(logIn)
            #expect(asked() == count, "\(app.lines)")
            try await app.end()
        }
    }
}
