import HubModel
import HubREST
import HubRules
import HubVocabulary
import Testing

@Suite("Checked tokens")
struct TokenCacheTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)
    private let hub: HubName
    private let policies: AccessPolicies

    init() throws {
        hub = try #require(HubName("news"))
        policies = try Self.policies(key: "key one")
    }

    private static func policies(key: String) throws -> AccessPolicies {
        let rule = try AccessRule(
            name: "sender",
            primaryKey: key,
            secondaryKey: "never used",
            rights: [.send]
        )
        return try AccessPolicies(
            names: ["hub.example.net"],
            namespace: [rule],
            hubs: [try #require(HubName("news")): []]
        )
    }

    private func token(
        key: String = "key one",
        seconds: UInt64,
        audience: String = "news"
    ) -> [UInt8] {
        let text = SharedAccessSigner(keyName: "sender", key: key).token(
            for: "https://hub.example.net/\(audience)",
            expiry: Self.now.adding(seconds: seconds)
        )
        return Array(text.utf8)
    }

    private func request(
        _ token: [UInt8],
        path: String = "/news/messages",
        right: AccessRight = .send
    ) -> AccessRequest {
        AccessRequest(
            authorization: token,
            host: "hub.example.net",
            path: path,
            hub: hub,
            right: right
        )
    }

    private func decision(
        _ cache: TokenCache,
        _ request: AccessRequest,
        by policies: AccessPolicies? = nil,
        now: Timestamp = now
    ) -> Result<AccessGrant, Refusal> {
        Result { () throws(Refusal) -> AccessGrant in
            try cache.authorize(request, by: policies ?? self.policies, now: now)
        }
    }

    @Test("get the decision that a first look at them gets")
    func sameDecisions() {
        let good = token(seconds: 600)
        var forged = good
        forged[forged.count / 2] ^= 1
        let requests = [
            request(good), request(good, right: .manage), request(good, path: "/other/messages"),
            request(forged), request(token(key: "key two", seconds: 600)), request([]),
            request(token(seconds: 600, audience: "else")), request(token(seconds: 0)),
        ]
        let cache = TokenCache(capacity: 4_096)
        for _ in 1...2 {
            for (number, request) in requests.enumerated() {
                let plain = Result { () throws(Refusal) -> AccessGrant in
                    try policies.authorize(request, now: Self.now)
                }
                #expect(decision(cache, request) == plain, "request \(number)")
            }
        }
    }

    @Test("are kept only when a rule has signed them")
    func onlyGood() {
        let cache = TokenCache(capacity: 4_096)
        _ = decision(cache, request(token(key: "key two", seconds: 600)))
        _ = decision(cache, request(Array("SharedAccessSignature sr=x".utf8)))
        #expect(cache.count == 0)
        _ = decision(cache, request(token(seconds: 600)))
        #expect(cache.count == 1)
    }

    @Test("end when they say so, kept or not")
    func expiry() {
        let cache = TokenCache(capacity: 4_096)
        let request = request(token(seconds: 600))
        #expect(throws: Never.self) { try decision(cache, request).get() }
        let later = Self.now.adding(seconds: 600 + CoreLimits.standard.namespace.tokenSkewSeconds)
        #expect(decision(cache, request, now: later) == .failure(.tokenExpired))
    }

    @Test("are never more than the capacity")
    func capacity() {
        let cache = TokenCache(capacity: 4)
        for seconds in UInt64(600)..<620 {
            #expect(throws: Never.self) {
                try decision(cache, request(token(seconds: seconds))).get()
            }
            #expect((1...4).contains(cache.count), "after \(seconds)")
        }
    }
}
