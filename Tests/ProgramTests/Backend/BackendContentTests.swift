import AppBackend
import Foundation
import HubClient
import HubSender
import Logging
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Rich and secure content")
struct BackendContentTests {
    /// A PNG image with its end.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + (0..<2_000).map { UInt8(truncatingIfNeeded: $0) }
        + [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    private static func draft(_ members: [String: String]) -> String {
        let parts = members.sorted { $0.key < $1.key }.map { name, value in
            PlatformPayload.json(name) + ":" + PlatformPayload.json(value)
        }
        return "{" + parts.joined(separator: ",") + "}"
    }

    private static func image(_ bytes: [UInt8], to: String = "bob") -> String {
        draft([
            "to": to, "message": "Look", "type": "img", "mediaType": "image/png",
            "payload": Data(bytes).base64EncodedString(),
        ])
    }

    @Test("an empty POST sends the scenario's image by id alone, and its bytes are served")
    func sample() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice")
            let phone = try await Phone.bare(hub.connection)
            try await backend.register("alice", handle: phone.handle)
            let sent = try await backend.ask(.POST, "/api/notifications", as: "alice")
            #expect(sent.status == 200, "\(sent.text)")
            let id = try #require(sent.member("Id"))
            let received = try await phone.receive(1)
            #expect(
                received[0].text
                    == #"{"aps":{"content-available":1,"sound":""},"richId":"\#(id)","#
                    + #""richMessage":"Check this image out!","richType":"img"}"#
            )
            let image = try await backend.ask(.GET, "/api/notifications/\(id)", as: "alice")
            #expect(image.status == 200)
            #expect(image.headers["content-type"] == "image/png")
            #expect(image.headers["x-content-type-options"] == "nosniff")
            #expect(image.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            await phone.close()
        }
    }

    @Test("rich content has an ETag, is served in parts, and to its addressee only")
    func serves() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let body = Self.image(Self.png)
            let sent = try await backend.ask(.POST, "/api/notifications", as: "alice", json: body)
            let id = try #require(sent.member("Id"))
            let path = "/api/notifications/\(id)"
            let whole = try await backend.ask(.GET, path, as: "bob")
            #expect(whole.bytes == Self.png)
            let etag = try #require(whole.headers["etag"])
            let same = try await backend.ask(
                .GET,
                path,
                as: "bob",
                headers: ["If-None-Match": etag]
            )
            #expect(same.status == 304 && same.bytes.isEmpty)
            for (range, status, part) in [
                ("bytes=0-9", 206, 0..<10), ("bytes=2000-", 206, 2_000..<2_016),
                ("bytes=-8", 206, 2_008..<2_016), ("bytes=0-99999", 206, 0..<2_016),
                ("bytes=2016-", 416, 0..<0), ("bytes=9-3", 200, 0..<2_016),
                ("bytes=0-1,5-6", 200, 0..<2_016), ("lines=1-2", 200, 0..<2_016),
            ] {
                let answer = try await backend.ask(
                    .GET,
                    path,
                    as: "bob",
                    headers: ["Range": range]
                )
                #expect(answer.status == status, "\(range)")
                #expect(answer.bytes == Array(Self.png[part]), "\(range)")
            }
            #expect(try await backend.ask(.GET, path, as: "alice").status == 403)
            #expect(try await backend.ask(.GET, path).status == 401)
            for unknown in ["0", "-1", "99", "2147483648", "99999999999999999999", "x", "1%2F2"] {
                let answer = try await backend.ask(.GET, "/api/notifications/\(unknown)", as: "bob")
                #expect(answer.status == 404, "\(unknown)")
            }
        }
    }

    @Test("every kind of rich content is told by its type, and what is none is refused by field")
    func kinds() async throws {
        try await HostedBackend.run { limits in
            limits.content.richBytesMax = 4_096
        } _: { _, backend in
            try backend.add("alice", "bob")
            func post(_ members: [String: String]) async throws -> HostedBackend.Answer {
                var all = ["to": "bob", "message": "Look"]
                all.merge(members) { _, new in new }
                if let text = all["payload"] {
                    all["payload"] = Data(text.utf8).base64EncodedString()
                }
                return try await backend.ask(
                    .POST,
                    "/api/notifications",
                    as: "alice",
                    json: Self.draft(all)
                )
            }
            for members in [
                ["type": "url", "payload": "https://example.net/a"],
                ["type": "sound", "payload": "ID3 a tune"],
                ["type": "video", "mediaType": "video/mp4", "payload": "abcdftyp and more"],
                ["type": "coupon", "payload": "10 % off"],
                [
                    "kind": "rich", "type": "coupon",
                    "payload": String(repeating: "a", count: 4_096),
                ],
            ] {
                let answer = try await post(members)
                #expect(answer.status == 200, "\(members) \(answer.text)")
            }
            for (members, status, word) in [
                (["type": "smell", "payload": "x"], 400, "img, url, sound, video, coupon"),
                (["type": "img", "mediaType": "image/tiff", "payload": "x"], 415, "image/png"),
                (["type": "img", "payload": "no image"], 400, "payload"),
                (["type": "url", "payload": "javascript:alert(1)"], 400, "payload"),
                (["type": "sound"], 400, "payload"),
                (["type": "coupon", "payload": String(repeating: "a", count: 4_097)], 413, "4096"),
                (["kind": "loud", "payload": "x"], 400, "kind"),
                (["to": "nobody", "type": "coupon", "payload": "x"], 404, "to"),
                (["message": "", "type": "coupon", "payload": "x"], 400, "message"),
            ] as [([String: String], Int, String)] {
                let answer = try await post(members)
                #expect(answer.status == status, "\(members.keys) \(answer.text)")
                #expect(answer.text.contains(word), "\(answer.text)")
            }
        }
    }

    @Test("an image or a body that is cut off is refused")
    func cut() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let cut = Self.image(Array(Self.png.dropLast()))
            let missing = try await backend.ask(
                .POST,
                "/api/notifications",
                as: "alice",
                json: cut
            )
            #expect(missing.status == 400 && missing.text.contains("cut off"))
            let whole = Self.image(Self.png)
            for body in [String(whole.dropLast(40)), "[]", "x"] {
                let answer = try await backend.ask(
                    .POST,
                    "/api/notifications",
                    as: "alice",
                    json: body
                )
                #expect(answer.status == 400, "\(answer.text)")
            }
        }
    }

    @Test("an upload whose end never comes keeps nothing")
    func truncated() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let exchange = try Program(
                "/usr/bin/openssl",
                ["s_client", "-quiet", "-no_ign_eof", "-connect", "localhost:\(backend.port)"]
            )
            let body = Self.image(Self.png)
            let head =
                "POST /api/notifications HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: \(HostedBackend.basic("alice"))\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n" + body.dropLast(100)
            exchange.write(head)
            exchange.closeInput()
            _ = try await exchange.exitCode()
            let answer = try await backend.ask(.GET, "/api/notifications/1", as: "bob")
            #expect(answer.status == 404)
        }
    }

    @Test(
        "a secure payload is served to its addressee's devices and stands in no frame and no file"
    )
    func secure() async throws {
        let canary = "canary \(UUID().uuidString) \u{1F512}"
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob")
            var phones: [Phone] = []
            for number in 1...5 {
                let phone = try await Phone.bare(hub.connection, name: "phone \(number)")
                try await backend.register("bob", handle: phone.handle)
                phones.append(phone)
            }
            let sent = try await backend.ask(
                .POST,
                "/api/notifications",
                as: "alice",
                json: Self.draft([
                    "kind": "secure", "to": "bob", "message": "A result", "payload": canary,
                ])
            )
            #expect(sent.status == 200, "\(sent.text)")
            let id = try #require(sent.member("Id"))
            let path = "/api/notifications/\(id)"
            #expect(try await backend.ask(.GET, path, as: "alice").status == 403)
            for phone in phones {
                let received = try await phone.receive(1)
                #expect(
                    received[0].text
                        == #"{"aps":{"content-available":1,"sound":""},"secureId":"\#(id)"}"#
                )
                let answer = try await backend.ask(.GET, path, as: "bob")
                #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
                #expect(answer.member("Payload") == canary)
                #expect(answer.member("Message") == "A result")
                #expect(answer.member("Id") == id)
                #expect(answer.text.contains(#""Read":true"#), "\(answer.text)")
                #expect(answer.text.contains(#""RichType":"""#))
                await phone.close()
            }
            let mark = Array(canary.prefix(40).utf8)
            for folder in [hub.folder.path, backend.folder.path] {
                #expect(try Self.files(below: folder).count > 2)
                for file in try Self.files(below: folder) {
                    let content = try Data(contentsOf: URL(fileURLWithPath: file))
                    #expect(content.range(of: Data(mark)) == nil, "\(file) holds the payload")
                    let mode = try FileManager.default.attributesOfItem(atPath: file)
                    let rights = mode[.posixPermissions] as? Int ?? 0
                    #expect(rights & 0o077 == 0, "\(file)")
                }
            }
        }
    }

    @Test("a database with another key, or with none, is refused until the right one is back")
    func keys() async throws {
        try await HostedHub.run { hub in
            let folder = ScenarioFolder()
            let first = try await HostedBackend(hubData: hub.folder.path, in: folder)
            #expect(!first.options.keyFile.hasPrefix(first.options.data + "/"))
            try await first.stop()
            let key = try String(contentsOfFile: first.options.keyFile, encoding: .utf8)
            try FileManager.default.removeItem(atPath: first.options.keyFile)
            for text in [nil, String(repeating: "0", count: 64), "no key"] {
                if let text { try folder.write(text, to: "app.key") }
                await #expect("\(text ?? "missing")") {
                    _ = try await HostedBackend(hubData: hub.folder.path, in: folder)
                } throws: { error in
                    if case .key? = error as? BackendError { true } else { false }
                }
            }
            try folder.write(key, to: "app.key")
            let again = try await HostedBackend(hubData: hub.folder.path, in: folder)
            try await again.stop()
        }
    }

    @Test("a backend that has stopped leaves its folder to the next, whoever still holds it")
    func leavesFolder() async throws {
        try await HostedHub.run { hub in
            let folder = ScenarioFolder()
            var options = BackendOptions(hubData: hub.folder.path, data: folder.file("app"))
            options.port = 0
            let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let first = try BackendServer(options, logger: silent)
            #expect(throws: BackendError.folderInUse(path: options.data)) {
                _ = try BackendServer(options, logger: silent)
            }
            try await first.run { _ in first.stop() }
            let second = try BackendServer(options, logger: silent)
            try await second.run { _ in second.stop() }
            withExtendedLifetime(first) {}
        }
    }

    private static func files(below folder: String) throws -> [String] {
        let manager = FileManager.default
        let names = try #require(manager.enumerator(atPath: folder)?.allObjects as? [String])
        return names.map { folder + "/" + $0 }.filter { path in
            let type = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            return type == .typeRegular
        }
    }
}
