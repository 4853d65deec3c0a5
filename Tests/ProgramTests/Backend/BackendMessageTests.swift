import AppBackend
import Foundation
import HubClient
import HubSender
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Notify users")
struct BackendMessageTests {
    private static let platforms: [(pns: String, platform: Platform)] = [
        ("apns", .apple), ("gcm", .gcm), ("fcm", .fcmV1), ("wns", .windows),
        ("mpns", .windowsPhone), ("adm", .adm), ("xiaomi", .xiaomi),
    ]

    @Test("a text with quotes, brackets, emoji and control characters arrives on every platform")
    func escapes() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob", "carol")
            let other = try await Phone.bare(hub.connection, name: "carol's")
            try await backend.register("carol", handle: other.handle)
            let text = "\"quoted\" <b>&amp;</b> 'it' \\ \u{1F514} \u{1} \u{7F} tab\tline\n]]>"
            var phones: [Phone] = []
            for (pns, _) in Self.platforms {
                let phone = try await Phone.bare(hub.connection, name: pns)
                try await backend.register("bob", handle: phone.handle, platform: pns)
                phones.append(phone)
                let sent = try await backend.send(text, from: "alice", to: "BOB", pns: pns)
                #expect(sent.status == 200, "\(pns) \(sent.text)")
            }
            for (phone, (pns, platform)) in zip(phones, Self.platforms) {
                let received = try await phone.receive(1)
                let payload = received[0].text ?? ""
                #expect(payload == PlatformPayload.alert("From alice: \(text)", on: platform))
                // XML has no place for control characters.
                let isXML = platform == .windows || platform == .windowsPhone
                let shown = isXML ? text.replacing("\u{1}", with: "\u{FFFD}") : text
                #expect(AlertText.read(payload) == "From alice: \(shown)", "\(pns)")
            }
            _ = try await backend.send("the end", from: "bob", to: "carol")
            try await other.receive(containing: "the end")
            #expect(other.texts.count == 1)
            for phone in phones + [other] {
                #expect(phone.texts.count == 1, "\(phone.name)")
                await phone.close()
            }
        }
    }

    @Test("recipients that are empty, too long or unknown are refused, and bodies that are no text")
    func badInput() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            let long = String(repeating: "a", count: 10_000)
            for (to, status) in [("", 400), (long, 400), ("nobody", 404), ("a%20b", 400)] {
                let answer = try await backend.send("Hi", from: "alice", to: to)
                #expect(answer.status == status, "\(to.prefix(20)) \(answer.text)")
                #expect(answer.text.contains("to_tag"))
            }
            let path = "/api/notifications?pns=apns&to_tag=alice"
            for (body, status) in [
                ("", 400), ("{}", 400), ("\"\"", 400), ("\"a", 400),
                ("\"" + String(repeating: "a", count: 1_024) + "\"", 200),
                ("\"" + String(repeating: "a", count: 1_025) + "\"", 413),
                ("\"" + String(repeating: "a", count: 70_000) + "\"", 413),
            ] {
                let answer = try await backend.ask(.POST, path, as: "alice", json: body)
                #expect(answer.status == status, "\(body.prefix(20)) \(answer.text)")
            }
            for query in ["?pns=apns", "?to_tag=alice"] {
                let answer = try await backend.ask(
                    .POST,
                    "/api/notifications\(query)",
                    as: "alice",
                    json: "\"a\""
                )
                #expect(answer.status == 400 && answer.text.contains("is missing"))
            }
        }
    }

    @Test("a hub that is away is waited for, with nothing sent twice; one that stays away is 503")
    func waits() async throws {
        var hub = try await RunningHub.startRestartable()
        let backend = try await HostedBackend(hubData: hub.folder.path)
        let hasty = try await HostedBackend(hubData: hub.folder.path) { limits in
            limits.hub.patienceSeconds = 0
        }
        try backend.add("alice")
        try hasty.add("alice")
        let phone = try await Phone.bare(hub.connection)
        try await backend.register("alice", handle: phone.handle)

        #expect(try await hub.terminate() == 0)
        let refused = try await hasty.send("lost", from: "alice", to: "alice")
        #expect(refused.status == 503 && refused.headers["retry-after"] != nil)
        let register = try await hasty.ask(.POST, "/api/register", as: "alice")
        #expect(register.status == 503)
        async let waiting = backend.send("kept", from: "alice", to: "alice")
        hub = try await hub.startedAgain()
        let answer = try await waiting
        #expect(answer.status == 200, "\(answer.text)")
        phone.reconnect()
        try await phone.receive(containing: "kept")
        _ = try await backend.send("the end", from: "alice", to: "alice")
        try await phone.receive(containing: "the end")
        #expect(phone.texts.count == 2, "\(phone.texts)")
        await phone.close()
        try await backend.stop()
        try await hasty.stop()
        #expect(try await hub.terminate() == 0)
    }

    @Test("a key that the hub does not know any more is 500, and says so")
    func revokedKey() async throws {
        try await HostedHub.run { hub in
            var file = hub.connection
            var string = try ConnectionString(parsing: file.connectionStrings.full)
            string.key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            file.connectionStrings.full = string.text
            let other = ScenarioFolder()
            let json = try JSONEncoder().encode(file)
            try other.write(String(decoding: json, as: UTF8.self), to: "connection.json")
            for name in ["tls/server.pem", "tls/server-key.pem"] {
                let text = try String(contentsOfFile: hub.folder.file(name), encoding: .utf8)
                try other.write(text, to: name)
            }
            let backend = try await HostedBackend(hubData: other.path)
            try backend.add("alice")
            for answer in [
                try await backend.send("Hi", from: "alice", to: "alice"),
                try await backend.ask(.POST, "/api/register", as: "alice"),
                try await backend.ask(.POST, "/api/notifications", as: "alice"),
            ] {
                #expect(answer.status == 500 && answer.text.contains("key"), "\(answer.text)")
            }
            try await backend.stop()
        }
    }

    @Test("who is removed or logs out gets nothing more on any device, and their tokens end")
    func leaves() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob")
            var phones: [Phone] = []
            for number in 1...5 {
                let phone = try await Phone.bare(hub.connection, name: "phone \(number)")
                try await backend.register("alice", handle: phone.handle, tags: ["World"])
                phones.append(phone)
            }
            let login = try await backend.ask(.POST, "/api/login", as: "alice")
            let token = "Bearer \(login.member("AccessToken") ?? "")"
            #expect(
                try await backend.ask(.POST, "/api/register", authorization: token).status == 200
            )
            #expect(try await backend.send("five", from: "bob", to: "alice").status == 200)
            for phone in phones { try await phone.receive(containing: "five") }

            #expect(
                try await backend.ask(.POST, "/api/logout", authorization: token).status == 200
            )
            let ended = try await backend.ask(.POST, "/api/register", authorization: token)
            #expect(ended.status == 401)
            let sender = try SenderClient(hub.connection)
            #expect(try await sender.registrations(tag: "username:alice").isEmpty)

            try await backend.register("alice", handle: phones[0].handle, tags: ["World"])
            try await backend.remove("alice")
            #expect(try await sender.registrations(tag: "username:alice").isEmpty)
            #expect(try await backend.send("six", from: "bob", to: "alice").status == 404)
            #expect(try await backend.ask(.POST, "/api/register", as: "alice").status == 401)
            for (number, phone) in phones.enumerated() {
                try await backend.register("bob", handle: phone.handle)
                _ = try await backend.send("end \(number)", from: "bob", to: "bob")
                try await phone.receive(containing: "end \(number)")
                #expect(!phone.texts.contains { $0.contains("six") }, "\(phone.name)")
                await phone.close()
            }
            await sender.close()
        }
    }

    @Test("a login gives a Listen token for a first connection, and an access token that ends")
    func firstCredential() async throws {
        try await HostedBackend.run { limits in
            limits.users.accessTokenSeconds = 0
        } _: { hub, backend in
            try backend.add("alice")
            let login = try await backend.ask(.POST, "/api/login", as: "alice")
            #expect(login.status == 200 && login.headers["cache-control"] == "no-store")
            let listen = try #require(login.member("ListenToken"))
            #expect(listen.contains("skn=DefaultListenSharedAccessSignature"), "\(listen)")
            let seconds = login.member("ListenTokenExpiresInSeconds").flatMap { Int($0) }
            #expect((60...600).contains(seconds ?? 0))
            let configuration = DeviceLoop.Configuration(
                host: try #require(login.member("DeviceHost")),
                port: try #require(login.member("DevicePort").flatMap { UInt16($0) }),
                caPath: hub.connection.ca,
                tokens: ListenTokens(given: listen)
            )
            let store = MemoryDeviceStore()
            let device = try DeviceClient(
                configuration,
                session: LinkSession.Configuration(hub: try #require(login.member("Hub"))),
                store: store
            )
            for await event in device.events {
                if case .connected = event { break }
                if case .disconnected(let why, _) = event {
                    Issue.record("\(why)")
                    break
                }
            }
            #expect(device.handle?.count == 64)
            await device.close()
            // It may not send, and the access token is over already.
            let caller = try RESTCaller(hub.connection)
            #expect(try await caller.send("{}", authorization: listen).status == 403)
            await caller.close()
            let token = "Bearer \(login.member("AccessToken") ?? "")"
            #expect(
                try await backend.ask(.POST, "/api/register", authorization: token).status == 401
            )
        }
    }
}
