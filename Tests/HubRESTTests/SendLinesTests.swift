import Foundation
import HubDirectory
import HubModel
import HubREST
import HubVocabulary
import Synchronization
import Testing

@Suite("Many sends in one request")
struct SendLinesRouteTests {
    private static let path = "/news/$belfry/messages"
    private static let id = "019df1c0d7e37b5a917d5c0a9be83f10-20260504065040"

    /// What the answer says of one line.
    private struct Outcome: Decodable, Equatable {
        var line: Int
        var status: Int
        var id: String?
        var location: String?
        var code: Int?
        var detail: String?
        var outcome: String?
        var retryAfterSeconds: Int?
    }

    /// What a hub says of each send.
    private static func told(
        _ outcomes: [Result<AcceptedSend, Refusal>]
    ) -> [Result<AcceptedSend, Refusal>] { outcomes }

    private static func outcomes(_ reply: Reply) throws -> [Outcome] {
        #expect(reply.status == 200, "\(reply.body)")
        #expect(reply["Content-Type"] == "application/x-ndjson")
        #expect(reply.body.hasSuffix("\n"))
        return try reply.body.split(separator: "\n").map {
            try JSONDecoder().decode(Outcome.self, from: Data($0.utf8))
        }
    }

    private static func drafts(_ hub: FakeHub) -> [NotificationDraft] {
        guard let drafts = hub.last(SendAll.self)?.drafts else { return [] }
        return drafts
    }

    @Test("is answered line by line, in order, and the hub is asked once")
    func golden() async throws {
        let harness = RESTHarness()
        let body = """
            {"format":"gcm","tags":"user-1","body":{"data":{"a":"b"}}}
            {"tag":"user-2","body":{"title":"Hello"}}

            {"tags":"user-3","body":{"title":"Hello"},"idempotencyKey":"order-7"}
            """
        let reply = try await harness.send(
            .post,
            Self.path + "?api-version=2020-06",
            token: "Send",
            headers: [("Content-Type", "application/x-ndjson"), ("TrackingId", "t-1")],
            body: body
        )
        #expect(
            reply.body == """
                {"line":1,"status":201,"id":"\(Self.id)-17-1",\
                "location":"https://localhost/news/messages/\(Self.id)-17-1?api-version=2020-06"}
                {"line":2,"status":400,"code":40000,"detail":"tag: is no member of a line; there are \
                format, tags, handle, headers, body, bodyBase64, idempotencyKey"}
                {"line":4,"status":201,"id":"\(Self.id)-18-1",\
                "location":"https://localhost/news/messages/\(Self.id)-18-1?api-version=2020-06"}

                """
        )
        #expect(reply["Content-Type"] == "application/x-ndjson")
        #expect(reply["TrackingId"] == "t-1")
        #expect(harness.hub.read { $0.requests.count } == 1)
        let drafts = Self.drafts(harness.hub)
        #expect(drafts.map { String($0.body) } == [#"{"data":{"a":"b"}}"#, #"{"title":"Hello"}"#])
        #expect(drafts.map { $0.idempotency != nil } == [false, true])
    }

    @Test("asks the hub nothing when no line can be sent")
    func nothing() async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(.post, Self.path, body: "[]\n\"quoted \\\" /\"\n")
        #expect(try Self.outcomes(reply).map(\.status) == [400, 400])
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test(
        "is refused as a whole when the hub takes nothing, as a single send is",
        arguments: [
            (Refusal.storeFull, 507), (.storeUnavailable(retryAfterSeconds: 1), 503),
            (.throttled(retryAfterSeconds: 3), 429), (.stopping, 503),
        ]
    )
    func away(_ refusal: Refusal, _ status: Int) async throws {
        for isTold in [false, true] {
            let harness = RESTHarness()
            harness.hub.change { state in
                if isTold {
                    state.reply = Self.told([.failure(refusal), .failure(refusal)])
                } else {
                    state.refusal = refusal
                }
            }
            let reply = try await harness.send(
                .post,
                Self.path,
                body: "{\"body\":{}}\n[]\n{\"body\":{}}\n"
            )
            #expect(reply.status == status)
            #expect(reply["Retry-After"] != nil)
            #expect(reply.body.contains("<Code>\(status)</Code>"), "\(reply.body)")
        }
    }

    @Test("says of each line what the hub said, when it took one")
    func partly() async throws {
        let harness = RESTHarness()
        harness.hub.change { state in
            state.reply = Self.told([
                .success(AcceptedSend(id: FakeHub.sent, sequence: 5)),
                .failure(.idempotencyConflict), .failure(.storeUnavailable(retryAfterSeconds: 1)),
            ])
        }
        let line = "{\"body\":{}}\n"
        let reply = try await harness.send(.post, Self.path, body: line + "[]\n" + line + line)
        let outcomes = try Self.outcomes(reply)
        #expect(outcomes.map(\.line) == [1, 2, 3, 4])
        #expect(outcomes.map(\.status) == [201, 400, 409, 503])
        #expect(outcomes.map(\.code) == [nil, 40000, 40900, 50300])
        #expect(outcomes.map(\.retryAfterSeconds) == [nil, nil, nil, 1])
        #expect(outcomes[2].detail == Refusal.idempotencyConflict.detail)
    }

    @Test("says of a send in doubt that its outcome is unknown, in its line or for all of them")
    func doubt() async throws {
        let harness = RESTHarness()
        let open = Refusal.storeUnanswered(retryAfterSeconds: 1)
        let away = Refusal.storeUnavailable(retryAfterSeconds: 1)
        harness.hub.change { state in
            state.reply = Self.told([
                .success(AcceptedSend(id: FakeHub.sent, sequence: 5)), .failure(open),
                .failure(away),
            ])
        }
        let lines = String(repeating: "{\"body\":{}}\n", count: 3)
        let reply = try await harness.send(.post, Self.path, body: lines)
        #expect(try Self.outcomes(reply).map(\.status) == [201, 503, 503])
        #expect(try Self.outcomes(reply).map(\.outcome) == [nil, "unknown", nil])
        harness.hub.change { state in
            state.reply = Self.told([.failure(away), .failure(open), .failure(away)])
        }
        let refused = try await harness.send(.post, Self.path, body: lines)
        #expect(refused.status == 503 && refused[OutcomeHeader.name] == "unknown")
    }

    static let wholes: [(String, [(String, String)], String, Int, String)] = [
        ("", [], "", 400, "body: has no line; each is a JSON object"),
        ("?test", [], "{}", 400, "test: one notification alone is tested."),
        (
            "", [("ServiceBusNotification-Tags", "a")], "{}", 400,
            "ServiceBusNotification-Tags: means nothing here"
        ),
        (
            "", [("Idempotency-Key", String(repeating: "k", count: 57))], "{}", 400,
            "Idempotency-Key: must have 1 to 56 bytes"
        ),
    ]

    @Test("is refused as a whole when it is none", arguments: wholes)
    func whole(
        _ query: String,
        _ headers: [(String, String)],
        _ body: String,
        _ status: Int,
        _ detail: String
    ) async throws {
        let harness = RESTHarness()
        let uri = Self.path + query
        let reply = try await harness.send(.post, uri, headers: headers, body: body)
        #expect(reply.status == status, "\(reply.body)")
        #expect(reply.body.contains(detail), "\(reply.body)")
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test("has so many lines and bytes at most", arguments: [-1, 0, 1])
    func limits(beyond: Int) async throws {
        let harness = RESTHarness()
        let line = "{\"body\":{}}\n"
        let count = CoreLimits.standard.batches.sendLinesMax + beyond
        let many = String(repeating: line, count: count)
        let reply = try await harness.send(.post, Self.path, body: many)
        #expect(reply.status == (beyond <= 0 ? 200 : 400), "\(reply.body.prefix(200))")
        if beyond <= 0 {
            #expect(try Self.outcomes(reply).count == count)
        } else {
            #expect(reply.body.contains("lines: at most 1000 are allowed."), "\(reply.body)")
        }
        let bytes = CoreLimits.standard.batches.sendLinesBytesMax + beyond
        let long = line + String(repeating: "\n", count: bytes - line.utf8.count)
        #expect(long.utf8.count == 4_194_304 + beyond)
        let status = try await harness.send(.post, Self.path, body: long).status
        #expect(status == (beyond <= 0 ? 200 : 413))
    }

    @Test("made again with its key is the same notifications, and another line is refused")
    func again() async throws {
        let hub = try CoreHub()
        func post(_ lines: [String], key: String = "k") async throws -> [Outcome] {
            let reply = try await ask(
                hub,
                configuration: RESTConfiguration(externalHost: "hub.example.net"),
                .post,
                Self.path,
                token: CoreHub.token("https://hub.example.net/news"),
                headers: [("Idempotency-Key", key)],
                bytes: Array(lines.map { "{\"body\":{\"a\":\"\($0)\"}}\n" }.joined().utf8)
            )
            return try Self.outcomes(reply)
        }
        let first = try await post(["1", "2", "3"])
        #expect(first.map(\.status) == [201, 201, 201])
        #expect(Set(first.map(\.id)).count == 3)
        #expect(try await post(["1", "2", "3"]) == first)
        let changed = try await post(["1", "x", "3"])
        #expect(changed.map(\.status) == [201, 409, 201])
        #expect([changed[0], changed[2]] == [first[0], first[2]])
        #expect(try await post(["1", "2", "3"], key: "other")[0].id != first[0].id)
        hub.commits(end: CommitResult(records: .full))
        let refused = try await post(["1", "new", "2", "3"])
        #expect(refused.map(\.status) == [201, 409, 409, 507])
    }

    @Test("tells how its lines ended, those alike together")
    func counted() async throws {
        var harness = RESTHarness()
        let counts = Mutex<[SendLineCount]>([])
        let requests = Mutex<[RESTEvent]>([])
        harness.configuration.onSendLines = { count in counts.withLock { $0.append(count) } }
        harness.configuration.onAnswer = { event in requests.withLock { $0.append(event) } }
        func told(_ reply: Result<[Result<AcceptedSend, Refusal>], Refusal>, _ body: String)
            async throws -> [[Int]]
        {
            counts.withLock { $0.removeAll() }
            harness.hub.change { state in
                switch reply {
                case .success(let reply): (state.reply, state.refusal) = (reply, nil)
                case .failure(let refusal): state.refusal = refusal
                }
            }
            _ = try await harness.send(.post, Self.path, body: body)
            return counts.withLock { $0.map { [$0.status, $0.subCode, $0.count] } }
        }
        let line = "{\"body\":{}}\n"
        let sent = Result<AcceptedSend, Refusal>.success(
            AcceptedSend(id: FakeHub.sent, sequence: 5)
        )
        let away = Refusal.storeUnavailable(retryAfterSeconds: 1)
        let mixed = Self.told([
            sent, .failure(.idempotencyConflict), sent, .failure(away), .failure(away),
        ])
        let lines = "[]\n" + String(repeating: line, count: 5) + "[]\n"
        #expect(
            try await told(.success(mixed), lines)
                == [[201, 0, 2], [400, 40000, 2], [409, 40900, 1], [503, 50300, 2]]
        )
        // Where the hub takes nothing each line is refused with the request.
        let nothing = Self.told([.failure(away), .failure(away)])
        #expect(try await told(.success(nothing), line + "[]\n" + line) == [[503, 50300, 3]])
        #expect(try await told(.failure(.stopping), line + line) == [[503, 50300, 2]])
        // What is no request with lines has none.
        #expect(try await told(.success(mixed), "\n") == [])
        #expect(requests.withLock { $0.map(\.status) } == [200, 503, 503, 400])
    }
}
