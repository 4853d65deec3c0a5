import AppBackend
import Foundation
import HubClient
import HubSender
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Registrations of the app backend")
struct BackendRegistrationTests {
    private static let never = String(repeating: "ab", count: 32)

    @Test("without or with wrong credentials everything is 401 with a challenge")
    func challenges() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            for path in ["/api/register", "/api/notifications", "/api/login", "/api/logout"] {
                for header in [
                    nil, HostedBackend.basic("alice", password: "wrong password"),
                    HostedBackend.basic("nobody"), HostedBackend.basic(""), "Basic !", "Basic",
                    HostedBackend.basic(String(repeating: "a", count: 10_000)), "Bearer x",
                    "Digest a",
                ] {
                    let answer = try await backend.ask(.POST, path, authorization: header)
                    let challenge = answer.headers["www-authenticate"] ?? ""
                    #expect(answer.status == 401, "\(path) \(header ?? "none")")
                    #expect(challenge.hasPrefix("Basic realm="), "\(path) \(header ?? "none")")
                }
            }
            // The scheme is compared without case, and a password may have colons.
            let lower = HostedBackend.basic("alice").replacing("Basic", with: "bAsIc")
            let known = try await backend.ask(.POST, "/api/register", authorization: lower)
            #expect(known.status == 200)
        }
    }

    @Test("too many wrong passwords are 429 for that user alone, and the right one does not help")
    func limitsFailures() async throws {
        try await HostedBackend.run { limits in
            limits.failures.perUserMax = 3
        } _: { _, backend in
            try backend.add("alice", "bob")
            let wrong = HostedBackend.basic("alice", password: "guess")
            for _ in 0..<3 {
                let answer = try await backend.ask(.POST, "/api/register", authorization: wrong)
                #expect(answer.status == 401)
            }
            let right = try await backend.ask(.POST, "/api/register", as: "alice")
            #expect(right.status == 429)
            #expect(right.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
            let other = try await backend.ask(.POST, "/api/register", as: "bob")
            #expect(other.status == 200)
        }
    }

    @Test("an unknown platform is 400 on both routes and names the allowed ones")
    func platforms() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            let put = try await backend.put(
                "alice",
                id: "1-2-3",
                handle: Self.never,
                platform: "pigeon"
            )
            let send = try await backend.send("Hi", from: "alice", to: "alice", pns: "pigeon")
            for answer in [put, send] {
                #expect(answer.status == 400)
                for name in ["apns", "gcm", "fcm", "wns", "mpns", "adm", "xiaomi", "baidu"] {
                    #expect(answer.text.contains(name), "\(answer.text)")
                }
            }
        }
    }

    @Test(
        "devices of some platforms need more than a handle, and are sent to all the same",
        arguments: ["baidu", "browser"]
    )
    func partsOfHandles(_ name: String) async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            let put = try await backend.put(
                "alice",
                id: "1-2-3",
                handle: Self.never,
                platform: name
            )
            #expect(put.status == 400 && put.text.contains("\(name) needs more"), "\(put.text)")
            let sent = try await backend.send("Hi", from: "alice", to: "alice", pns: name)
            #expect(sent.status == 200, "\(sent.text)")
        }
    }

    @Test("tags of the back end's are refused by name, other wrong input by field")
    func badInput() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            for tag in ["username:bob", "UserName:bob", "from:alice", "$InstallationId:{x}"] {
                let answer = try await backend.put(
                    "alice",
                    id: "1-2-3",
                    handle: Self.never,
                    tags: ["World", tag]
                )
                #expect(answer.status == 403, "\(tag)")
                #expect(answer.member("Message")?.contains(tag) == true, "\(answer.text)")
            }
            for tags in [
                [""], ["a b"], [String(repeating: "a", count: 121)],
                (0..<61).map { "tag\($0)" },
            ] {
                let answer = try await backend.put(
                    "alice",
                    id: "1-2-3",
                    handle: Self.never,
                    tags: tags
                )
                #expect(answer.status == 400 && answer.text.contains("Tags"), "\(tags)")
            }
            for (id, handle) in [("1-2", Self.never), ("1-2-3", "zz"), ("1-2-3", "")] {
                let answer = try await backend.put("alice", id: id, handle: handle)
                #expect(answer.status == 400, "\(id) \(handle)")
            }
            let body = try await backend.ask(.PUT, "/api/register/1-2-3", as: "alice", json: "{}")
            #expect(body.status == 400 && body.text.contains("Platform"))
            let query = try await backend.ask(.POST, "/api/register?handle=x", as: "alice")
            #expect(query.status == 400 && query.text.contains("handle"))
            #expect(try await backend.ask(.GET, "/api/register", as: "alice").status == 405)
            #expect(try await backend.ask(.GET, "/api/other", as: "alice").status == 404)
        }
    }

    @Test(
        "an id that was never seen can be written; one whose registration was deleted is 410 once"
    )
    func gone() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice")
            let phone = try await Phone.bare(hub.connection)
            let fresh = try await backend.put("alice", id: "123-456-7", handle: phone.handle)
            #expect(fresh.status == 200, "\(fresh.text)")

            let sender = try SenderClient(hub.connection)
            try await sender.deleteRegistration(id: "123-456-7")
            let gone = try await backend.put("alice", id: "123-456-7", handle: phone.handle)
            #expect(gone.status == 410, "\(gone.text)")
            let id = try await backend.register("alice", handle: phone.handle.uppercased())
            #expect(id != "123-456-7")
            let found = try await sender.registrations(handle: phone.handle)
            #expect(found.map(\.id) == [id])
            #expect(found.first?.tags == ["username:alice"])
            #expect(found.first?.isTemplate == false)
            // The handle of the next start, and the platform of another kind of address.
            let again = try await backend.register("alice", handle: phone.handle, platform: "wns")
            #expect(again == id)
            #expect(try await sender.registrations(handle: phone.handle).map(\.id) == [id])
            await sender.close()
            await phone.close()
        }
    }

    @Test("of several registrations of a handle the first stays, and the device's own stay too")
    func reuses() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice")
            let phone = try await Phone.subscribed(
                hub.connection,
                .news(.apple, tags: ["World"])
            )
            let sender = try SenderClient(hub.connection)
            var ids: [String] = []
            for tag in ["username:alice", "username:old"] {
                let entry = RegistrationEntry(
                    platform: .apple,
                    handle: phone.handle,
                    tags: [tag]
                )
                ids.append(try await sender.createRegistration(entry).id)
            }
            let id = try await backend.register("alice", handle: phone.handle)
            #expect(id == ids[0])
            let left = try await sender.registrations(handle: phone.handle)
            #expect(left.count == 2)
            #expect(left.contains { $0.tags == ["World"] && $0.isTemplate })
            await sender.close()
            await phone.close()
        }
    }

    @Test("one device with two users in turn: the second gets nothing of the first")
    func changesHands() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob", "carol")
            let phone = try await Phone.bare(hub.connection)
            let id = try await backend.register("alice", handle: phone.handle, tags: ["World"])
            #expect(try await backend.send("one", from: "carol", to: "alice").status == 200)
            try await phone.receive(containing: "one")

            // A user who does not hold the device cannot take its registration.
            let other = try await backend.put("bob", id: id, handle: Self.never)
            #expect(other.status == 403, "\(other.text)")
            #expect(try await backend.ask(.DELETE, "/api/register/\(id)", as: "bob").status == 403)
            let second = try await backend.register("bob", handle: phone.handle)
            #expect(second != id, "a registration's history goes with its id")
            let sender = try SenderClient(hub.connection)
            #expect(try await sender.registration(id: second).tags == ["username:bob"])

            // With an id of its own the third one removes what the second had.
            let third = try await backend.put("carol", id: "9-9-9", handle: phone.handle)
            #expect(third.status == 200)
            let left = try await sender.registrations(handle: phone.handle)
            #expect(left.map(\.tags) == [["username:carol"]])
            for (number, user) in ["alice", "bob", "carol"].enumerated() {
                _ = try await backend.send("for user \(number)", from: "alice", to: user)
            }
            try await phone.receive(containing: "for user 2")
            #expect(phone.texts.count == 2, "\(phone.texts)")
            #expect(
                try await backend.ask(.DELETE, "/api/register/9-9-9", as: "carol").status == 200
            )
            #expect(
                try await backend.ask(.DELETE, "/api/register/9-9-9", as: "carol").status == 404
            )
            #expect(try await sender.registrations(handle: phone.handle).isEmpty)
            await sender.close()
            await phone.close()
        }
    }

    @Test("a user has as many registrations as the limit, and no more")
    func limit() async throws {
        try await HostedBackend.run { limits in
            limits.registrations.perUserMax = 4
        } _: { hub, backend in
            try backend.add("alice")
            let phone = try await Phone.bare(hub.connection)
            for number in 1...4 {
                let answer = try await backend.put(
                    "alice",
                    id: "1-1-\(number)",
                    handle: phone.handle
                )
                #expect(answer.status == 200, "\(number) \(answer.text)")
            }
            let beyond = try await backend.put("alice", id: "1-1-5", handle: phone.handle)
            #expect(beyond.status == 403 && beyond.text.contains("4 registrations"))
            await phone.close()
        }
    }
}
