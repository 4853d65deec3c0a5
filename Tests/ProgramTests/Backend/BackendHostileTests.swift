import AppBackend
import Foundation
import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Hostile clients of the app backend")
struct BackendHostileTests {
    private static func link(
        _ hub: HostedHub,
        _ backend: HostedBackend,
        _ security: RawLink.Security = .tls(alpn: ["http/1.1"])
    ) async throws -> RawLink {
        try await RawLink(hub.connection, port: UInt16(backend.port), security)
    }

    private static func text(_ link: RawLink) -> String {
        String(decoding: Array(link.input.events.joined()), as: UTF8.self)
    }

    @Test("who says nothing, begins no handshake or never ends a head is left")
    func silent() async throws {
        try await HostedBackend.run { limits in
            limits.connections.handshakeSeconds = 10
            limits.connections.silentSeconds = 1
            limits.requests.headSeconds = 1
            limits.requests.bodySeconds = 1
            limits.hub.patienceSeconds = 1
        } _: { hub, backend in
            let plain = try await Self.link(hub, backend, .plain)
            let quiet = try await Self.link(hub, backend)
            let started = try await Self.link(hub, backend)
            await started.write(Array("GET /api/notifications/1 HTTP/1.1\r\nHost: loc".utf8))
            for link in [plain, quiet, started] {
                try await link.closedByHub()
                #expect(!Self.text(link).hasPrefix("HTTP/1.1 2"))
            }
        }
    }

    @Test("who is refused before the body is there is told so, and the rest is not waited for")
    func unreadBody() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice")
            for (header, status) in [
                ("", "401"), ("Authorization: \(HostedBackend.basic("alice"))\r\n", "413"),
            ] {
                let link = try await Self.link(hub, backend)
                let head =
                    "POST /api/notifications?pns=apns&to_tag=alice HTTP/1.1\r\nHost: localhost\r\n"
                    + header + "Content-Length: 100000000\r\n\r\n\"abc"
                await link.write(Array(head.utf8))
                try await link.closedByHub()
                let answer = Self.text(link)
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
                #expect(answer.lowercased().contains("connection: close"), "\(answer)")
            }
            // A connection whose requests were read goes on.
            let link = try await Self.link(hub, backend)
            let get = "GET /api/notifications/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            for count in 1...2 {
                await link.write(Array(get.utf8))
                try await link.input.wait(for: "answer \(count)") { pieces in
                    let text = String(decoding: Array(pieces.joined()), as: UTF8.self)
                    return text.components(separatedBy: "HTTP/1.1 401").count == count + 1
                }
            }
            await link.close()
        }
    }

    @Test("a page of another site does nothing with the password that a browser remembers")
    func foreignPage() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice")
            let own = "https://localhost:\(backend.port)"
            let asked: [([String: String], Int)] = [
                (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
                (["Origin": "https://evil.example"], 403), (["Origin": "null"], 403),
                (["Sec-Fetch-Site": "same-origin", "Origin": own], 200),
                (["Sec-Fetch-Site": "none"], 200), (["Origin": own], 200), ([:], 200),
            ]
            for (headers, status) in asked {
                let form = ["Content-Type": "text/plain"]
                let answer = try await backend.ask(
                    .POST,
                    "/api/notifications?pns=apns&to_tag=alice",
                    as: "alice",
                    headers: headers.merging(form) { given, _ in given },
                    body: Array(#""hello""#.utf8)
                )
                // alice has no device yet: the backend says so once it has taken the request.
                #expect((answer.status == 403) == (status == 403), "\(headers): \(answer.text)")
            }
        }
    }

    @Test("who does not read its answer is left, and makes room for the one who waits")
    func unreadAnswer() async throws {
        try await HostedBackend.run { limits in
            limits.connections.countMax = 2
            limits.answers.seconds = 1
        } _: { hub, backend in
            try backend.add("alice")
            let sent = try await backend.ask(
                .POST,
                "/api/notifications",
                as: "alice",
                json: #"{"type":"coupon","message":"m","payload":""#
                    + Data(repeating: 0x61, count: 4_000_000).base64EncodedString() + #""}"#
            )
            #expect(sent.status == 200, "\(sent.text)")
            // The client's own connection is the second of two.
            let greedy = try await RawLink(
                hub.connection,
                port: UInt16(backend.port),
                .tls(alpn: ["http/1.1"]),
                receiveBuffer: 4_096
            )
            try await greedy.setReading(false)
            let get =
                "GET /api/notifications/\(sent.member("Id") ?? "") HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: \(HostedBackend.basic("alice"))\r\n\r\n"
            await greedy.write(Array(String(repeating: get, count: 8).utf8))
            let next = try await Self.link(hub, backend)
            await next.write(
                Array("GET /api/notifications/1 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            )
            try await next.input.wait(for: "an answer") { !$0.isEmpty }
            #expect(Self.text(next).hasPrefix("HTTP/1.1 401"))
            await greedy.close()
            await next.close()
        }
    }

    @Test("all users of this machine together are not locked out by one who guesses")
    func sharedAddress() async throws {
        try await HostedBackend.run { limits in
            limits.failures.perAddressMax = 3
            limits.failures.perUserMax = 2
        } _: { _, backend in
            try backend.add("alice")
            for number in 0..<6 {
                let wrong = HostedBackend.basic("user\(number)", password: "guess")
                let answer = try await backend.ask(.POST, "/api/login", authorization: wrong)
                #expect(answer.status == 401)
            }
            #expect(try await backend.ask(.POST, "/api/login", as: "alice").status == 200)
        }
    }

    @Test("a certificate that is renewed is shown to the next connection, without a restart")
    func renewed() async throws {
        try await HostedHub.run { hub in
            let folder = ScenarioFolder()
            for name in ["server.pem", "server-key.pem"] {
                let text = try String(
                    contentsOfFile: hub.folder.file("tls/\(name)"),
                    encoding: .utf8
                )
                try folder.write(text, to: name)
            }
            let other = try await HostedHub()
            let backend = try await HostedBackend(hubData: hub.folder.path, in: folder) { _ in
            } options: { options in
                options.certificateFile = folder.file("server.pem")
                options.certificateKeyFile = folder.file("server-key.pem")
            }
            try backend.add("alice")
            #expect(try await backend.ask(.POST, "/api/login", as: "alice").status == 200)
            try folder.write("no certificate", to: "server.pem")
            backend.reloadCertificate()
            _ = try await Self.link(hub, backend)
            for name in ["server.pem", "server-key.pem"] {
                let text = try String(
                    contentsOfFile: other.folder.file("tls/\(name)"),
                    encoding: .utf8
                )
                try folder.write(text, to: name)
            }
            backend.reloadCertificate()
            let renewed = try await RawLink(
                other.connection,
                port: UInt16(backend.port),
                .tls(alpn: ["http/1.1"])
            )
            await renewed.write(
                Array("GET /api/notifications/1 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            )
            try await renewed.input.wait(for: "an answer") { !$0.isEmpty }
            #expect(Self.text(renewed).hasPrefix("HTTP/1.1 401"))
            await renewed.close()
            try await backend.stop()
            try await other.stop()
        }
    }
}
