import HubREST
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

/// What only a real connection shows: bodies that come in pieces, too late or never.
@Suite("On a real connection")
struct LiveConnectionTests {
    private static let head =
        "POST /news/registrations?api-version=2020-06 HTTP/1.1\r\nHost: localhost\r\n"
        + "Authorization: Listen\r\n"

    /// Sends `text` over one connection and returns everything until the server closes it.
    private static func exchange(_ harness: RESTHarness, _ text: String) async throws -> String {
        let app = Application(
            responder: makeRouter(service: harness.hub, configuration: harness.configuration),
            configuration: .init(address: .hostname("127.0.0.1", port: 0))
        )
        return try await app.test(.live) { client in
            let port = try #require(client.port)
            let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "localhost", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel
                        )
                    }
                }
            return try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: text))
                var received = ByteBuffer()
                for try await part in inbound { received.writeImmutableBuffer(part) }
                return String(buffer: received)
            }
        }
    }

    @Test("a body with broken framing, or shorter than it said, is 400 and ends the connection")
    func malformed() async throws {
        let harness = RESTHarness()
        let answer = try await Self.exchange(
            harness,
            Self.head + "Transfer-Encoding: chunked\r\n\r\n5\r\n<entr\r\nZZ\r\n"
        )
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        #expect(answer.lowercased().contains("connection: close\r\n"), "\(answer)")
        #expect(answer.contains("SubCode=40000. Body: it broke off"), "\(answer)")
        #expect(answer.split(separator: "HTTP/1.1 ").count == 1, "\(answer)")
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test("a body that stops arriving ends in 408 and the connection with it")
    func late() async throws {
        var harness = RESTHarness()
        harness.configuration.bodyDeadline = .milliseconds(10)
        let answer = try await Self.exchange(
            harness,
            Self.head + "Content-Length: 500\r\n\r\n<entry>"
        )
        #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
        #expect(answer.contains("SubCode=40800. "), "\(answer)")
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test(
        "a refused request whose body stays away is answered when its own time is over",
        .timeLimit(.minutes(1))
    )
    func refusedAndLate() async throws {
        var harness = RESTHarness()
        harness.configuration.bodyDeadline = .seconds(600)
        harness.configuration.refusedBodyDeadline = .milliseconds(10)
        let answer = try await Self.exchange(
            harness,
            "POST /nohub/nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Length: 500\r\n\r\n<entry>"
        )
        #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(answer)")
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test("a chunked body above the limit ends in 413")
    func chunked() async throws {
        var harness = RESTHarness()
        harness.configuration.bodyBytesMax = 100
        let chunk = "40\r\n\(String(repeating: "x", count: 64))\r\n"
        let answer = try await Self.exchange(
            harness,
            Self.head
                + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)\(chunk)0\r\n\r\n"
        )
        #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
        #expect(answer.contains("Body: 128 bytes exceed the limit of 100."), "\(answer)")
    }

    @Test("a chunked body is put together and HEAD gets no body")
    func pieces() async throws {
        let harness = RESTHarness()
        let body = RoutingTests.registration
        let cut = body.index(body.startIndex, offsetBy: 100)
        let chunks = [body[..<cut], body[cut...]].map {
            "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n"
        }
        let answer = try await Self.exchange(
            harness,
            Self.head + "Transfer-Encoding: chunked\r\n\r\n" + chunks.joined() + "0\r\n\r\n"
                + "HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
        #expect(answer.contains("HTTP/1.1 405 Method Not Allowed\r\n"), "\(answer)")
        #expect(answer.hasSuffix("\r\n\r\n"), "\(answer)")
        #expect(harness.lastContent?.summary == "apple native handle=AB")
    }
}
