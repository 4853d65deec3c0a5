import Foundation
import HubClient
import HubServer
import HubTestSupport
import HubTraces
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Traces", .timeLimit(.minutes(2)))
struct TraceTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    /// The spans that a collector was sent.
    private static func spans(_ collector: FileServer) throws -> [[String: Any]] {
        try collector.visits.events.flatMap { visit in
            let root = try JSONSerialization.jsonObject(with: Data(visit.body.utf8))
            let resources = (root as? [String: Any])?["resourceSpans"] as? [[String: Any]] ?? []
            let scopes = resources.flatMap { $0["scopeSpans"] as? [[String: Any]] ?? [] }
            return scopes.flatMap { $0["spans"] as? [[String: Any]] ?? [] }
        }
    }

    private static func names(_ collector: FileServer) throws -> [String] {
        try spans(collector).compactMap { $0["name"] as? String }.sorted()
    }

    @Test("follow a caller's send from REST to the device's acknowledgement, and hold no secret")
    func followed() async throws {
        let collector = try await FileServer()
        try await HostedHub.run { options in
            options.rest.traces.url = collector.address + "/v1/traces"
            options.rest.traces.ratio = 0
        } _: { hub in
            let canary = "canary-\(UUID().uuidString)"
            let phone = try await Phone.subscribed(hub.connection, .news(.apple, tags: ["World"]))
            let caller = try RESTCaller(hub.connection)
            let body = #"{"messageParam":"\#(canary)"}"#
            let parent = ["traceparent": "00-\(Self.trace)-b7ad6b7169203331-01"]
            let forged = try Tokens.forged(hub.connection)
            #expect(try await caller.send(body, tags: "World").status == 201)
            #expect(
                try await caller.send(body, headers: parent, authorization: forged).status == 401
            )
            let listener = try await caller.perform(
                .GET,
                "\(hub.connection.hub)/installations/i-7",
                headers: parent,
                authorization: Tokens.listenOnly(hub.connection)
            )
            #expect(listener.status == 404)
            let sent = try await caller.send(body, tags: "World", headers: parent)
            #expect(sent.status == 201)
            try await eventually("six spans at the collector") {
                try Self.names(collector).count == 6
            }
            await phone.close()
            await caller.close()
            // One operation, two shards, one device.
            #expect(
                try Self.names(collector) == [
                    "acknowledge", "commit", "fan out", "fan out", "send", "send",
                ]
            )
            let spans = try Self.spans(collector)
            #expect(spans.allSatisfy { $0["traceId"] as? String == Self.trace })
            let request = try #require(
                spans.first { $0["parentSpanId"] as? String == "b7ad6b7169203331" }
            )
            let below = spans.filter {
                $0["parentSpanId"] as? String == request["spanId"] as? String
            }
            #expect(below.count == 5)
            let text = collector.visits.events.map(\.body).joined()
            #expect(text.contains(try #require(sent.headers["trackingid"])))
            let keys = try [hub.connection.connectionStrings.full, forged].map { secret in
                secret == forged ? secret : try ConnectionString(parsing: secret).key
            }
            for secret in [canary, phone.handle] + keys {
                #expect(secret.count >= 16 && !text.contains(secret))
            }
        }
        try await collector.close()
    }
}
