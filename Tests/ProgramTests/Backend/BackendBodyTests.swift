import AppBackend
import Foundation
import HubClient
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// Bodies on their way in and out: how many bytes, and where there is none.
@Suite("Bodies at the app backend")
struct BackendBodyTests {
    private static func link(
        _ hub: HostedHub,
        _ backend: HostedBackend
    ) async throws -> RawLink {
        try await RawLink(hub.connection, port: UInt16(backend.port), .tls(alpn: ["http/1.1"]))
    }

    private static func head(
        _ method: String,
        _ path: String,
        as user: String? = nil,
        _ headers: [String] = []
    ) -> String {
        let access = user.map { ["Authorization: \(HostedBackend.basic($0))"] } ?? []
        let lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + access + headers
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Everything that comes back until the backend closes.
    private static func exchange(
        _ hub: HostedHub,
        _ backend: HostedBackend,
        _ text: String
    ) async throws -> String {
        let link = try await Self.link(hub, backend)
        await link.write(Array(text.utf8))
        try await link.closedByHub()
        return String(decoding: Array(link.input.events.joined()), as: UTF8.self)
    }

    /// Keeps a coupon of some bytes for a user, and returns its path.
    private static func coupon(
        _ count: Int,
        of user: String,
        _ backend: HostedBackend
    ) async throws -> String {
        let payload = Data(repeating: 0x61, count: count).base64EncodedString()
        let sent = try await backend.ask(
            .POST,
            "/api/notifications",
            as: user,
            json: #"{"type":"coupon","message":"m","payload":"\#(payload)"}"#
        )
        #expect(sent.status == 200, "\(sent.text)")
        return "/api/notifications/" + (sent.member("Id") ?? "")
    }

    /// A body that is refused for its kind alone, of some bytes.
    private static func post(
        _ count: Int,
        as user: String,
        _ backend: HostedBackend
    ) async throws -> HostedBackend.Answer {
        let body = #"{"kind":"none"}"#
        let padding = String(repeating: " ", count: count - body.utf8.count)
        return try await backend.ask(.POST, "/api/notifications", as: user, json: body + padding)
    }

    /// Asks until an answer has a status.
    private static func ask(
        until status: Int,
        _ body: () async throws -> HostedBackend.Answer
    ) async throws -> HostedBackend.Answer {
        try await eventually("an answer \(status)", within: .seconds(180)) {
            let answer = try await body()
            return answer.status == status ? answer : nil
        }
    }

    /// What is held must not end by itself before a slow machine has looked at it.
    private static func wait(in limits: inout BackendLimits) {
        limits.connections.silentSeconds = 600
        limits.requests.headSeconds = 600
        limits.requests.bodySeconds = 600
        limits.answers.seconds = 600
    }

    @Test("bodies that are held open count for their user and for all, and no longer than that")
    func bytesIn() async throws {
        try await HostedBackend.run { limits in
            limits.requests.heldBytesPerUserMax = 300_000
            limits.requests.heldBytesMax = 400_000
            Self.wait(in: &limits)
        } _: { hub, backend in
            try backend.add("alice", "bob")
            let held = try await Self.link(hub, backend)
            let head = Self.head(
                "POST",
                "/api/notifications",
                as: "alice",
                ["Content-Length: 200000"]
            )
            await held.write(Array((head + "{").utf8))
            let refused = try await Self.ask(until: 429) {
                try await Self.post(100_001, as: "alice", backend)
            }
            #expect(refused.status == 429, "\(refused.text)")
            #expect(refused.headers["retry-after"] == "5" && refused.text.contains("300000"))
            #expect(try await Self.post(100_000, as: "alice", backend).status == 400)
            // Another user has what is left of all.
            let full = try await Self.post(200_001, as: "bob", backend)
            #expect(full.status == 503 && full.headers["retry-after"] == "5", "\(full.text)")
            #expect(try await Self.post(200_000, as: "bob", backend).status == 400)
            await held.close()
            let free = try await Self.ask(until: 400) {
                try await Self.post(300_000, as: "alice", backend)
            }
            #expect(free.status == 400, "\(free.text)")
        }
    }

    @Test("no answer to HEAD has a body, whoever asks and whatever for")
    func head() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice")
            let path = try await Self.coupon(5_000, of: "alice", backend)
            let secure = try await backend.ask(
                .POST,
                "/api/notifications",
                as: "alice",
                json: #"{"kind":"secure","payload":"hidden"}"#
            )
            let sealed = "/api/notifications/" + (secure.member("Id") ?? "")
            for (path, user, status) in [
                ("/", nil, 404), ("/api/login", nil, 401), (path, nil, 401), (path, "alice", 200),
                ("/api/login", "alice", 405), ("/api/register/1-1-1", "alice", 405),
                ("/api/notifications/99", "alice", 404), (sealed, "alice", 200),
            ] as [(String, String?, Int)] {
                let text = try await Self.exchange(
                    hub,
                    backend,
                    Self.head("HEAD", path, as: user, ["Connection: close"])
                )
                #expect(text.hasPrefix("HTTP/1.1 \(status)"), "\(path) \(text)")
                #expect(text.hasSuffix("\r\n\r\n"), "\(path) \(text)")
                #expect(text.components(separatedBy: "\r\n\r\n").count == 2, "\(path) \(text)")
            }
            let answer = try await backend.ask(.HEAD, path, as: "alice")
            #expect(answer.headers["content-length"] == "5000" && answer.bytes.isEmpty)
            #expect(answer.headers["etag"] != nil)
            // Two requests in one piece: each answer is found where it begins.
            let both = try await Self.exchange(
                hub,
                backend,
                Self.head("HEAD", "/api/login", as: "alice")
                    + Self.head("GET", sealed, as: "alice", ["Connection: close"])
            )
            let parts = both.components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 3 && parts[1].hasPrefix("HTTP/1.1 200"), "\(both)")
            #expect(parts.last?.contains("hidden") == true, "\(both)")
        }
    }
}
