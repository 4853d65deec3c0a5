import HubREST
import HubRules
import HubVocabulary
import Synchronization
import Testing

@Suite("Routes")
struct RoutingTests {
    static let registration = canonical(
        "AppleRegistrationDescription",
        "<DeviceToken>AB</DeviceToken>"
    )

    @Test(
        "are found whatever the casing, slashes, flags and versions",
        arguments: [
            (Verb.post, "/NEWS/RegistrationIDs/", 201), (.post, "/news/registrationids", 201),
            (.post, "/News/Registrations/?api-version=2023-10-01-preview", 200),
            (.post, "/news/%72egistrations?api-version", 200), (.get, "/news/Registrations//", 200),
            (.get, "/NEWS/TAGS/World/Registrations/?api-version=2013-04", 200),
            (.put, "/news/REGISTRATIONS/1-2-3/", 200), (.get, "/news/registrations?$TOP=1&&=", 200),
            (.get, "https://hubs.example.net/news/registrations?api-version=x", 200),
        ]
    )
    func tolerant(_ verb: Verb, _ uri: String, _ status: Int) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(verb, uri, body: Self.registration)
        #expect(reply.status == status, "\(verb.rawValue) \(uri): \(reply.body)")
        #expect(harness.hub.read { Set($0.access.map(\.hub.description)) } == ["news"])
    }

    @Test(
        "refuse methods that mean nothing there",
        arguments: [
            ("/healthz", "GET"), ("/news/messages", "POST"), ("/news/registrationIDs/", "POST"),
            ("/news/registrations", "GET, POST"), ("/news/registrations/1-2-3", "DELETE, GET, PUT"),
            ("/news/tags/a/registrations", "GET"), ("/news/messages/%24batch", "POST"),
        ]
    )
    func methods(_ uri: String, _ allowed: String) async throws {
        let harness = RESTHarness()
        let words = Set(allowed.split(separator: ", ").map(String.init))
        for verb in Verb.allCases where !words.contains(verb.rawValue) {
            let reply = try await harness.send(verb, uri, token: nil)
            #expect(reply.status == 405, "\(verb.rawValue) \(uri)")
            #expect(reply["Allow"] == allowed)
            #expect(reply.body.isEmpty == (verb == .head), "\(reply.body)")
        }
        #expect(harness.hub.read { $0.access.isEmpty && $0.requests.isEmpty })
    }

    @Test(
        "unknown to the hub are 404 and say nothing of hubs",
        arguments: [
            "/news/other", "/news/registrations/1/2", "//messages",
            "/news//registrations", "/news/tags/a", "/news/tags/a/other", "/healthz/x",
            "/news/messages/%24batch/x",
        ]
    )
    func unknown(_ uri: String) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(.get, uri, token: nil)
        #expect(reply.status == 404, "\(uri)")
        let start =
            "<Error><Code>404</Code><Detail>SubCode=40400. The requested path is no resource"
        #expect(reply.body.hasPrefix(start), "\(reply.body)")
    }

    @Test(
        "need exactly the right of their operation",
        arguments: [
            (Verb.post, "/news/registrationIDs", AccessRight.listen),
            (.post, "/news/registrations", .listen), (.put, "/news/registrations/1-2-3", .listen),
            (.get, "/news/registrations/1-2-3", .listen),
            (.delete, "/news/registrations/1-2-3", .listen),
            (.get, "/news/registrations?$filter=ChannelUri+eq+'x'", .listen),
            (.get, "/news/registrations", .manage), (.get, "/news/tags/a/registrations", .manage),
            (.post, "/news/messages", .send), (.post, "/news/messages/$batch", .send),
        ]
    )
    func rights(_ verb: Verb, _ uri: String, _ right: AccessRight) async throws {
        let harness = RESTHarness()
        let others = AccessRight.allCases.filter { $0 != right }.map(\.name)
        // Broken XML too: the right is asked for before the body is looked at.
        let refused = try await harness.send(
            verb,
            uri,
            token: others.joined(separator: "+"),
            body: "<"
        )
        #expect(refused.status == 403, "\(refused.body)")
        let detail = "SubCode=40300. \(right.name) claim is required for this operation."
        #expect(refused.body.contains(detail), "\(refused.body)")
        #expect(harness.hub.read { $0.requests.isEmpty })
        _ = try await harness.send(verb, uri, token: right.name, body: Self.registration)
        let asked = harness.hub.read { $0.access.last }
        #expect(asked?.right == right)
        let path = uri.prefix { $0 != "?" }
        #expect(asked?.path == String(path))
        #expect(asked?.host == "localhost")
    }

    @Test(
        "tell tokens apart by their refusals",
        arguments: [
            (String?.none, 40102, "MissingToken: The Authorization header is missing."),
            ("malformed", 40105, "MalformedToken: The part 'se' is missing."),
            ("forged", 40103, "InvalidSignature: The token has an invalid signature."),
            ("expired", 40106, "ExpiredToken: The token has expired; check 'se' and the clock."),
            ("foreign", 40104, "InvalidAudience: The token's 'sr' does not cover"),
        ] as [(String?, Int, String)]
    )
    func tokens(_ token: String?, _ subCode: Int, _ detail: String) async throws {
        let harness = RESTHarness()
        for uri in ["/news/messages", "/other/messages"] {
            let reply = try await harness.send(.post, uri, token: token, body: "{}")
            #expect(reply.status == 401)
            let start = "<Error><Code>401</Code><Detail>SubCode=\(subCode). \(detail)"
            #expect(reply.body.hasPrefix(start), "\(reply.body)")
        }
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test(
        "to an unknown hub are 404 with a good token",
        arguments: [
            "/other/messages", "/OTHER/registrations", "/.hidden/messages", "/a%20b/messages",
            "/%3Cx%3E/messages",
        ]
    )
    func unknownHub(_ uri: String) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(.post, uri, body: "{}")
        #expect(reply.status == 404)
        #expect(reply.body.contains("SubCode=40400. The notification hub '"), "\(reply.body)")
        #expect(!reply.body.contains("<x>"))
    }

    @Test("answer health without a token")
    func health() async throws {
        let harness = RESTHarness()
        let healthy = try await harness.send(.get, "/healthz", token: nil)
        #expect(healthy.status == 200)
        #expect(healthy.body == #"{"hubs":0,"problems":[],"status":"ok"}"#)
        let hubs = try ["news", "other", "third"].map { try #require(HubName($0)) }
        harness.hub.change { state in
            state.problems = hubs.map { hub in
                let cause = hub == hubs[2] ? "\"x\"" : "no space left"
                return HubProblem(hub: hub, cause: cause, detail: "\(cause) in /var/\(hub)")
            }
        }
        let sick = try await harness.send(.get, "/HealthZ/?verbose", token: nil)
        #expect(sick.status == 503)
        let problems = #"["\"x\"","no space left"]"#
        #expect(sick.body == #"{"hubs":3,"problems":\#(problems),"status":"unavailable"}"#)
        let server = try await harness.send(.get, "/$belfry/server")
        #expect(server.body.contains(#""hub 'other': no space left in /var/other""#))
        #expect(sick["Content-Type"] == "application/json; charset=utf-8")
        #expect(harness.hub.read { $0.access.isEmpty })
    }

    @Test("tell each answer to the counting closure")
    func events() async throws {
        let events = Mutex<[RESTEvent]>([])
        var harness = RESTHarness()
        harness.configuration.onAnswer = { event in events.withLock { $0.append(event) } }
        let headers = [("TrackingId", "t-1")]
        _ = try await harness.send(.post, "/news/registrationIDs", headers: headers)
        _ = try await harness.send(.get, "/news/registrations/1-2-3", headers: headers)
        _ = try await harness.send(.get, "/news/nowhere", headers: headers)
        _ = try await harness.send(.get, "/healthz", headers: headers)
        let told = events.withLock { $0.map { "\($0.operation) \($0.status) \($0.subCode)" } }
        #expect(
            told == [
                "reserveRegistrationID 201 0", "getRegistration 404 40403", "unknown 404 40400",
                "health 200 0",
            ]
        )
        #expect(events.withLock { $0.allSatisfy { $0.trackingID == "t-1" } })
    }
}
