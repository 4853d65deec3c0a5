import HubModel
import HubRules
import HubTestSupport
import HubVocabulary
import Testing

private let start = Timestamp(milliseconds: 1_800_000_000_000)

private func rule(
    _ name: String,
    _ keys: (String, String),
    _ rights: [AccessRight]
) throws -> AccessRule {
    try AccessRule(name: name, primaryKey: keys.0, secondaryKey: keys.1, rights: rights)
}

private func policies() throws -> AccessPolicies {
    let news = try #require(HubName("news"))
    let other = try #require(HubName("other"))
    return try AccessPolicies(
        names: ["hub.example.net", "localhost", "127.0.0.1", "[::1]"],
        namespace: [try rule("Root", ("root-1", "root-2"), [.manage])],
        hubs: [
            news: [
                try rule("Full", ("full-1", "full-2"), [.manage]),
                try rule("Listen", ("listen-1", "listen-2"), [.listen]),
                try rule("Send", ("send-1", "send-2"), [.send]),
                try rule("Root", ("shadow-1", "shadow-2"), [.listen]),
            ],
            other: [],
        ]
    )
}

/// What the policies say of a token; nil when they grant.
private func refusal(
    resource: String = "https://hub.example.net/news",
    key: String = "full-1",
    rule: String = "Full",
    secondsLeft: Int = 300,
    path: String = "/news/messages",
    hub: String = "news",
    right: AccessRight = .send,
    header: String? = nil
) throws -> Refusal? {
    let expiry = Timestamp(
        milliseconds: UInt64(Int(start.milliseconds) + secondsLeft * 1_000)
    )
    let text =
        header ?? SharedAccessSigner(keyName: rule, key: key).token(for: resource, expiry: expiry)
    let request = AccessRequest(
        authorization: Array(text.utf8),
        host: "hub.example.net",
        path: path,
        hub: try #require(HubName(hub)),
        right: right
    )
    let policies = try policies()
    do throws(Refusal) {
        _ = try policies.authorize(request, now: start)
        return nil
    } catch {
        return error
    }
}

@Suite("Access decisions")
struct AccessPoliciesTests {
    @Test(
        "cover the request whatever the client's way to write the audience",
        arguments: [
            "http://hub.example.net/news/messages/", "https://hub.example.net/",
            "https://hub.example.net", "sb://hub.example.net/news", "hub.example.net/news",
            "https://hub.example.net:8443/news/messages?api-version=2020-06",
            "HTTPS://Hub.Example.NET/NEWS/Messages", "https://localhost:8443/news/",
            "https://127.0.0.1:8443/news", "https://[::1]:8443/news", "https://[::1]/",
            "https://hub.example.net/?x=/y", "https://hub.example.net//",
        ]
    )
    func covered(_ resource: String) throws {
        #expect(try refusal(resource: resource) == nil)
    }

    @Test(
        "refuse an audience that is another host, another path or a part of a name",
        arguments: [
            "https://hub.example.com/news", "https://example.net/news", "https://evil/news",
            "https://hub.example.net.evil/news", "https://hub.example.net/new",
            "https://hub.example.net/newsroom", "https://hub.example.net/news/registrations",
            "https://hub.example.net/news/messages/1", "https://hub.example.net/news/mess",
            "https://user@hub.example.net/news", "https://hub.example.net:80x/news",
            "https://hub.example.net//news",
        ]
    )
    func uncovered(_ resource: String) throws {
        #expect(try refusal(resource: resource) == .audienceMismatch)
    }

    @Test("refuse an audience whose host is empty or whose escapes are broken as malformed")
    func brokenAudience() throws {
        let refused = try refusal(resource: "https:///news")
        guard case .tokenMalformed = refused else {
            Issue.record("got \(String(describing: refused))")
            return
        }
    }

    @Test(
        "bring unusual tags in paths to one level of escaping",
        arguments: [
            ("/news/tags/a%40b/registrations", "https://hub.example.net/news/tags/a@b"),
            ("/news/tags/a%40b/registrations", "https://hub.example.net/news/tags/a%40b"),
            ("/news/tags/a@b/registrations", "https://hub.example.net/news/tags/a%40b"),
            ("/news/tags/a%40b/registrations", "https://hub.example.net/news/tags/A%40B/"),
        ]
    )
    func escapedTags(_ path: String, _ resource: String) throws {
        #expect(try refusal(resource: resource, path: path, right: .manage) == nil)
    }

    @Test("do not let an escaped slash in a path move its boundaries")
    func escapedSlash() throws {
        let refused = try refusal(
            resource: "https://hub.example.net/news/tags/a",
            path: "/news/tags/a%2Fb/registrations"
        )
        #expect(refused == .audienceMismatch)
    }

    @Test("end sixty seconds after the expiry, to the millisecond")
    func expiry() throws {
        #expect(try refusal(secondsLeft: -59) == nil)
        #expect(try refusal(secondsLeft: -60) == .tokenExpired)
        #expect(try refusal(secondsLeft: -86_400) == .tokenExpired)
    }

    @Test("answer an unknown rule and a wrong signature alike")
    func signature() throws {
        #expect(try refusal(rule: "Nobody") == .signatureInvalid)
        #expect(try refusal(key: "full-3") == .signatureInvalid)
        #expect(try refusal(rule: "full") == .signatureInvalid)
    }

    @Test("take the second key as the first, and a namespace rule behind a hub rule of its name")
    func keys() throws {
        #expect(try refusal(key: "full-2") == nil)
        #expect(try refusal(key: "root-1", rule: "Root") == nil)
        #expect(try refusal(key: "root-2", rule: "Root") == nil)
        #expect(try refusal(key: "shadow-1", rule: "Root") == .missingRight(.send))
        #expect(try refusal(key: "shadow-2", rule: "Root", right: .listen) == nil)
    }

    @Test("grant exactly the rights of the rule; Manage brings the others")
    func rights() throws {
        #expect(try refusal(key: "listen-1", rule: "Listen") == .missingRight(.send))
        #expect(try refusal(key: "listen-1", rule: "Listen", right: .listen) == nil)
        #expect(try refusal(key: "send-1", rule: "Send", right: .listen) == .missingRight(.listen))
        #expect(try refusal(key: "send-1", rule: "Send", right: .manage) == .missingRight(.manage))
        for right in AccessRight.allCases { #expect(try refusal(right: right) == nil) }
    }

    @Test("tell of an unknown hub only to a key of the namespace")
    func unknownHub() throws {
        let resource = "https://hub.example.net/"
        #expect(try refusal(resource: resource, path: "/x/messages", hub: "x") == .signatureInvalid)
        let told = try refusal(
            resource: resource,
            key: "root-1",
            rule: "Root",
            path: "/x/messages",
            hub: "x"
        )
        #expect(told == .hubNotFound(name: "x"))
    }

    @Test("do not take a rule of one hub for another")
    func otherHub() throws {
        let refused = try refusal(
            resource: "https://hub.example.net/",
            path: "/other/messages",
            hub: "other"
        )
        #expect(refused == .signatureInvalid)
    }

    @Test("ask for a token where none is given")
    func missing() throws {
        #expect(try refusal(header: "") == .tokenMissing)
    }

    @Test("let a device in with the Listen right for the hub or the server")
    func device() throws {
        let policies = try policies()
        let hub = try #require(HubName("NEWS"))
        func refused(_ resource: String, _ key: String, _ rule: String) -> Refusal? {
            let text = SharedAccessSigner(keyName: rule, key: key).token(
                for: resource,
                expiry: start.adding(seconds: 60)
            )
            let token = Array(text.utf8)
            do throws(Refusal) {
                let grant = try policies.authorizeDevice(token: token.span, hub: hub, now: start)
                return grant.rule == rule && grant.has(.listen) ? nil : .stopping
            } catch {
                return error
            }
        }
        #expect(refused("https://localhost:9443/news", "listen-1", "Listen") == nil)
        #expect(refused("sb://hub.example.net/", "full-2", "Full") == nil)
        #expect(refused("https://localhost/", "send-1", "Send") == .missingRight(.listen))
        #expect(refused("https://localhost/other", "listen-1", "Listen") == .audienceMismatch)
        #expect(refused("https://localhost/news", "other", "Listen") == .signatureInvalid)
        var none: Refusal?
        do throws(Refusal) {
            let empty: [UInt8] = []
            _ = try policies.authorizeDevice(token: empty.span, hub: hub, now: start)
        } catch { none = error }
        #expect(none == .tokenMissing)
    }

    @Test("compare with the request's host only when the server has no name of its own")
    func namelessServer() throws {
        let hub = try #require(HubName("news"))
        let named = try policies()
        let nameless = try AccessPolicies(
            names: [],
            namespace: [],
            hubs: [hub: named.rules(of: hub)]
        )
        let token = SharedAccessSigner(keyName: "Full", key: "full-1").token(
            for: "https://elsewhere.example/news",
            expiry: start.adding(seconds: 60)
        )
        let request = AccessRequest(
            authorization: Array(token.utf8),
            host: "elsewhere.example",
            path: "/news/messages",
            hub: hub,
            right: .send
        )
        let grant = try nameless.authorize(request, now: start)
        #expect(grant.rule == "Full")
        #expect(throws: Refusal.audienceMismatch) { try named.authorize(request, now: start) }
    }
}

@Suite("Access to a namespace")
struct NamespaceAccessTests {
    /// What the policies say of a token; nil when they grant.
    private func refusal(
        _ rule: String,
        _ key: String,
        resource: String = "https://hub.example.net/",
        hub: String? = "news",
        isOpenToHub: Bool = false,
        in policies: AccessPolicies? = nil
    ) throws -> Refusal? {
        let known = try policies ?? HubRulesTests.policies()
        let token = SharedAccessSigner(keyName: rule, key: key).token(
            for: resource,
            expiry: start.adding(seconds: 60)
        )
        let request = NamespaceAccessRequest(
            authorization: Array(token.utf8),
            host: "hub.example.net",
            path: "/" + (hub ?? "$Resources/NotificationHubs"),
            hub: hub.flatMap(HubName.init),
            right: .manage,
            isOpenToHub: isOpenToHub
        )
        do throws(Refusal) {
            _ = try known.authorizeNamespace(request, now: start)
            return nil
        } catch { return error }
    }

    @Test("is given by its own rules alone, whether the hub exists or not")
    func ownRules() throws {
        for hub in ["news", "nowhere", nil] {
            #expect(try refusal("Root", "root-1", hub: hub) == nil)
            #expect(try refusal("Root", "root-2", hub: hub) == nil)
        }
        #expect(try refusal("Full", "full-1") == .namespaceRuleNeeded(.manage))
        // A rule of the hub with the name of one of the namespace is not that one.
        #expect(try refusal("Root", "shadow-1") == .missingRight(.manage))
        #expect(try refusal("Full", "full-1", hub: "other") == .signatureInvalid)
        #expect(try refusal("Full", "full-1", hub: nil) == .signatureInvalid)
        #expect(try refusal("Root", "root-3") == .signatureInvalid)
    }

    @Test("is shared with a rule of the hub that has the right, where the operation is open to it")
    func openToHub() throws {
        #expect(try refusal("Full", "full-1", isOpenToHub: true) == nil)
        #expect(try refusal("Full", "full-2", isOpenToHub: true) == nil)
        #expect(try refusal("Listen", "listen-1", isOpenToHub: true) == .missingRight(.manage))
        let other = try refusal("Full", "full-1", hub: "other", isOpenToHub: true)
        #expect(other == .signatureInvalid)
        #expect(try refusal("Full", "full-1", hub: nil, isOpenToHub: true) == .signatureInvalid)
        #expect(try refusal("Root", "root-1", isOpenToHub: true) == nil)
    }

    @Test("is within the token's audience")
    func audience() throws {
        let other = "https://hub.example.net/other"
        #expect(try refusal("Root", "root-1", resource: other) == .audienceMismatch)
        let own = "https://hub.example.net/news/"
        #expect(try refusal("Root", "root-1", resource: own) == nil)
        #expect(try refusal("Root", "root-1", resource: own, hub: nil) == .audienceMismatch)
    }

    @Test("follows rules that are replaced, and those of other hubs stay")
    func replaced() throws {
        let before = try HubRulesTests.policies()
        let news = try #require(HubName("news"))
        let sports = try #require(HubName("sports"))
        let after = try before.replacing(sports, with: [rule("S", ("s-1", "s-2"), [.send])])
            .replacing(news, with: nil)
        #expect(after.has(sports) && !after.has(news))
        #expect(after.rules(of: sports).map(\.name) == ["S"])
        #expect(try refusal("Full", "full-1", in: after) == .signatureInvalid)
        #expect(try refusal("S", "s-2", hub: "sports", in: after) == .missingRight(.manage))
        #expect(throws: Refusal.self) {
            let twice = try rule("S", ("1", "2"), [.send])
            _ = try before.replacing(news, with: [twice, twice])
        }
    }
}
