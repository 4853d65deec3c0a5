import HTTPTypes
import HubModel
import HubREST
import HubTestSupport
import HubVocabulary
import Hummingbird
import Testing

@Suite("Error answers")
struct ErrorAnswerTests {
    @Test("have the reference's body, byte for byte")
    func golden() async throws {
        let harness = RESTHarness()
        let tracking = "6f0c3c1e-6a3b-4a53-8a53-0b2f6b1f7d10"
        let reply = try await harness.send(
            .get,
            "/news/registrations/1-2-3",
            headers: [("trackingid", tracking)]
        )
        #expect(
            reply.body == "<Error><Code>404</Code><Detail>SubCode=40403. Registration not found."
                + "TrackingId:\(tracking)_G0,TimeStamp:5/4/2026 9:12:03 AM</Detail></Error>"
        )
        #expect(reply["Content-Type"] == "application/xml; charset=utf-8")
        #expect(reply["Content-Length"] == String(reply.body.utf8.count))
        #expect(reply["TrackingId"] == tracking)
    }

    @Test("of a node whose lease may have ended refuse nothing by what it remembers")
    func behindLease() {
        let unknown = Refusal.storeUnavailable(retryAfterSeconds: 1)
        for refusal in [Refusal.registrationNotFound, .scheduleNotFound, .idempotencyConflict] {
            #expect(refusal.behindLease == unknown)
        }
        let others: [Refusal] = [
            .storeUnanswered(retryAfterSeconds: 1), .storeFull, .stopping,
            .tooLarge(field: "body", bytes: 5, limit: 4), .throttled(retryAfterSeconds: 2),
        ]
        for refusal in others { #expect(refusal.behindLease == refusal) }
    }

    @Test(
        "show the time as the clients' operators know it",
        arguments: [
            (0, "1/1/1970 12:00:00 AM"), (1_709_208_000_007, "2/29/2024 12:00:00 PM"),
            (1_709_251_199_999, "2/29/2024 11:59:59 PM"),
            (1_709_251_200_000, "3/1/2024 12:00:00 AM"),
            (4_102_444_799_000, "12/31/2099 11:59:59 PM"),
            (UInt64.max, "12/31/9999 11:59:59 PM"),
        ]
    )
    func time(_ milliseconds: UInt64, _ text: String) async throws {
        let harness = RESTHarness()
        harness.hub.change { $0.now = Timestamp(milliseconds: milliseconds) }
        let reply = try await harness.send(.get, "/nowhere")
        #expect(reply.body.hasSuffix("_G0,TimeStamp:\(text)</Detail></Error>"), "\(reply.body)")
    }

    static let refusals: [(Refusal, Int, Int, String?)] = [
        (.invalid(field: "Tags", reason: "<&>"), 400, 40000, nil),
        (.protectedTag("username:mara"), 403, 40300, nil),
        (.registrationIsGranted, 403, 40300, nil), (.registrationNotFound, 404, 40403, nil),
        (.registrationGone, 410, 41000, nil), (.versionMismatch, 412, 41200, nil),
        (.tooLarge(field: "Body", bytes: 2, limit: 1), 413, 41300, nil),
        (.tooMany(what: "registrations of a handle", limit: 32), 403, 40300, nil),
        (.tooManyInRequest(what: "operations of one patch", limit: 1_000), 400, 40000, nil),
        (.throttled(retryAfterSeconds: 7), 429, 42900, "7"),
        (.throttled(retryAfterSeconds: 0), 429, 42900, "1"),
        (.tooFast(what: "new", perMinute: 1, retryAfterSeconds: 9), 429, 42900, "9"),
        (.storeUnavailable(retryAfterSeconds: 30), 503, 50300, "30"),
        (.storeUnanswered(retryAfterSeconds: 2), 503, 50300, "2"),
        (.storeFull, 507, 50700, "60"), (.stopping, 503, 50300, "5"),
        (.internalError(reference: 9), 500, 50000, nil),
    ]

    @Test("carry status, sub code and whole seconds of patience", arguments: refusals)
    func refusal(
        _ refusal: Refusal,
        _ status: Int,
        _ subCode: Int,
        _ retryAfter: String?
    ) async throws {
        let harness = RESTHarness()
        harness.hub.change { $0.refusal = refusal }
        let reply = try await harness.send(.post, "/news/registrationIDs")
        #expect(reply.status == status)
        let start = "<Error><Code>\(status)</Code><Detail>SubCode=\(subCode). "
        #expect(reply.body.hasPrefix(start), "\(reply.body)")
        #expect(reply["Retry-After"] == retryAfter)
        #expect(reply["Location"] == nil)
        let isOpen = if case .storeUnanswered = refusal { true } else { false }
        #expect(reply[OutcomeHeader.name] == (isOpen ? "unknown" : nil))
        if case .invalid = refusal {
            #expect(reply.body.contains("Tags: &lt;&amp;&gt;.TrackingId:"))
        }
    }

    @Test(
        "and all others echo a usable TrackingId and replace any other",
        arguments: [
            ("0c0f2f0e-6c39-4f0e-9a3c-6f8e6b1d2a77", true), ("abc_DEF-09", true),
            (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
            ("a b", false), ("<x>", false), ("ä", false), ("", false),
        ]
    )
    func tracking(_ given: String, _ isEchoed: Bool) async throws {
        let harness = RESTHarness()
        for uri in ["/news/registrationIDs", "/nowhere"] {
            let reply = try await harness.send(.post, uri, headers: [("TrackingId", given)])
            let id = try #require(reply["TrackingId"])
            #expect((id == given) == isEchoed, "\(given) became \(id)")
            #expect(isEchoed || id.utf8.count == 36)
            #expect(reply["x-ms-correlation-request-id"]?.utf8.count == 36)
        }
    }

    @Test(
        "refuse a body above the limit, announced or not",
        arguments: [
            (65_535, 400), (65_536, 400), (65_537, 413), (200_000, 413),
        ]
    )
    func bodyLimit(_ count: Int, _ status: Int) async throws {
        let harness = RESTHarness()
        let body = [UInt8](repeating: UInt8(ascii: " "), count: count)
        let announced = try await harness.send(.post, "/news/registrations", bytes: body)
        #expect(announced.status == status)
        let streamed = try await Self.stream(harness) { continuation in
            var rest = body[...]
            while !rest.isEmpty {
                continuation.yield(ByteBuffer(bytes: rest.prefix(10_000)))
                rest = rest.dropFirst(10_000)
            }
            continuation.finish()
        }
        #expect(streamed == status)
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test("end the wait for a body that never comes")
    func bodyDeadline() async throws {
        var harness = RESTHarness()
        harness.configuration.bodyDeadline = .milliseconds(1)
        let status = try await Self.stream(harness) { $0.yield(ByteBuffer(string: "<entry>")) }
        #expect(status == 408)
    }

    @Test("say of a body that breaks off that it did, and end the connection")
    func brokenBody() async throws {
        struct Reset: Error {}
        let harness = RESTHarness()
        let status = try await Self.stream(harness) { feed in
            feed.yield(ByteBuffer(string: RoutingTests.registration))
            feed.finish(throwing: Reset())
        }
        #expect(status == 400)
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test("aren't written for a client that has gone, and what came of its body counts nothing")
    func lostClient() async throws {
        let harness = RESTHarness()
        let body = AsyncStream { (feed: AsyncStream<ByteBuffer>.Continuation) in
            feed.yield(ByteBuffer(string: RoutingTests.registration))
            feed.finish()
        }
        await #expect(throws: CancellationError.self) {
            _ = try await HubResponder<GoneContext>(
                service: harness.hub,
                configuration: harness.configuration
            ).respond(
                to: harness.request("/news/registrations", RequestBody(asyncSequence: body)),
                context: GoneContext(source: RESTHarness.source())
            )
        }
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test("aren't written when the wait for the hub is cancelled")
    func cancelled() async throws {
        let harness = RESTHarness()
        harness.hub.change { $0.isSilent = true }
        let waiting = Task { try await harness.send(.post, "/news/registrationIDs").status }
        try await eventually("a command") { harness.hub.read { !$0.requests.isEmpty } }
        waiting.cancel()
        // The test client turns an unanswered request into a bare 500.
        #expect(try await waiting.value == 500)
    }

    /// Posts a registration whose body is fed by `feed`, without `Content-Length`.
    private static func stream(
        _ harness: RESTHarness,
        _ feed: (AsyncThrowingStream<ByteBuffer, any Error>.Continuation) -> Void
    ) async throws -> Int {
        let (stream, continuation) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        feed(continuation)
        return try await harness.post("/news/registrations", RequestBody(asyncSequence: stream))
            .status.code
    }
}

/// A request whose client left before its body was whole.
private struct GoneContext: ConnectionContext {
    var coreContext: CoreRequestContextStorage
    var isConnected: Bool { false }
    var network: DeviceID? { nil }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
