import AsyncHTTPClient
import HubClient
import HubServer
import HubVocabulary
import NIOHTTP1
import Testing

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
}
