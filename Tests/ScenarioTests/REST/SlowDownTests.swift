import AsyncHTTPClient
import Foundation
import HubClient
import HubServer
import HubTestSupport
import HubVocabulary
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// Answers over sockets that ask a client to come later.
@Suite("Clients that are too fast")
struct SlowDownTests {
    private static let registration = """
        <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">\
        <AppleRegistrationDescription \
        xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
        <DeviceToken>0A1B2C3D</DeviceToken></AppleRegistrationDescription></content></entry>
        """

    @Test("make so many new registrations a minute with a Listen key, and are told when to go on")
    func newRegistrations() async throws {
        try await HostedHub.run { options in
            options.coreLimits.quota.newPerKeyPerMinute = 2
        } _: { hub in
            let caller = try RESTCaller(hub.connection)
            let strings = hub.connection.connectionStrings
            func create(_ string: String) async throws -> RESTCaller.Answer {
                try await caller.perform(
                    .POST,
                    "\(hub.connection.hub)/registrations",
                    headers: ["Content-Type": "application/atom+xml;type=entry;charset=utf-8"],
                    body: Self.registration,
                    authorization: caller.token(string)
                )
            }
            // A minute of the clock may end in between, once.
            var answers: [RESTCaller.Answer] = []
            for _ in 0..<5 { answers.append(try await create(strings.listen)) }
            let refused = try #require(answers.first { $0.status == 429 })
            #expect(refused.text.contains("new registrations with this key"), "\(refused.text)")
            let seconds = try #require(refused.headers["retry-after"].flatMap { Int($0) })
            #expect((1...60).contains(seconds))
            #expect(try await create(strings.full).status == 200)
            await caller.close()
        }
    }

    @Test("of HTTP/2 are refused when no stream has a place, and the server stays there")
    func streams() async throws {
        try await HostedHub.run { options in
            options.rest.limits.streams = 0
        } _: { hub in
            let fast = try RESTCaller(hub.connection)
            for _ in 0..<3 {
                let answer = try await fast.perform(.GET, "healthz", authorization: nil)
                // A body would wait for a window that its peer may never open.
                #expect(answer.status == 429 && answer.text.isEmpty, "\(answer.text)")
                #expect(answer.version == .http2)
                #expect(answer.headers["retry-after"] == "1")
            }
            await fast.close()
            let plain = try RESTCaller(hub.connection, version: .http1Only)
            #expect(try await plain.perform(.GET, "healthz", authorization: nil).status == 200)
            await plain.close()
        }
    }

    /// Connections to a port of this machine that both sides hold open.
    private static func established(_ port: UInt16) throws -> Int {
        let text = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
        let digits = "0000" + String(port, radix: 16, uppercase: true)
        return text.split(separator: "\n").count { line in
            let cells = line.split(separator: " ")
            guard cells.count > 3 else { return false }
            return cells[1].hasSuffix(":" + digits.suffix(4)) && cells[3] == "01"
        }
    }

    private static func link(_ hub: HostedHub, asking request: String) async throws -> RawLink {
        let link = try await RawLink(
            hub.connection,
            port: hub.connection.rest.port,
            .tls(alpn: ["http/1.1"]),
            receiveBuffer: 4_096
        )
        // One answer, so that the handshake is over before the peer reads no more.
        await link.write(Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        try await link.input.wait(for: "an answer") { pieces in
            String(decoding: pieces.joined(), as: UTF8.self).contains("HTTP/1.1 200")
        }
        try await link.setReading(false)
        await link.write(Array(request.utf8))
        return link
    }

    /// Each limit alone, so low that few of eight peers may stay.
    static let unreadLimits: [(name: String, limit: @Sendable (inout ServerOptions) -> Void)] = [
        ("connections", { $0.rest.limits.blockedConnections = 2 }),
        ("bytes", { $0.rest.limits.unreadBytes = 250_000 }),
    ]

    @Test("to ask and too slow to read give way to others", arguments: unreadLimits)
    func unread(
        _ limit: (name: String, limit: @Sendable (inout ServerOptions) -> Void)
    ) async throws {
        try await HostedHub.run { options in
            limit.limit(&options)
            // No deadline ends them meanwhile.
            options.rest.limits.silentSeconds = 600
        } _: { hub in
            let documents = "GET /$belfry/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
            var links: [RawLink] = []
            for _ in 0..<8 {
                links.append(
                    try await Self.link(hub, asking: String(repeating: documents, count: 8))
                )
            }
            let port = hub.connection.rest.port
            try await eventually("most of the peers have lost their connection") {
                try Self.established(port) <= 3
            }
            let honest = try RESTCaller(hub.connection)
            #expect(try await honest.perform(.GET, "healthz", authorization: nil).status == 200)
            await honest.close()
            for link in links { await link.close() }
        }
    }

    @Test("to connect and too slow to ask give way to an honest one, though no place is free")
    func places() async throws {
        try await HostedHub.run { options in
            options.rest.limits.connections = 8
        } _: { hub in
            var links: [RawLink] = []
            for _ in 0..<8 { links.append(try await Self.link(hub, asking: "GET / HT")) }
            let honest = try RESTCaller(hub.connection)
            let begun = ContinuousClock.now
            #expect(try await honest.perform(.GET, "healthz", authorization: nil).status == 200)
            // Five seconds without progress, and a busy machine's delay; a request has two minutes.
            #expect(ContinuousClock.now - begun < .seconds(40))
            await honest.close()
            for link in links { await link.close() }
        }
    }
}
