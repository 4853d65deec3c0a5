import HubREST
import HubRules
import HubVocabulary
import Testing

/// Every row of the route table with every kind of credential, in front of the real access rules.
@Suite("Rights of each operation")
struct RightsMatrixTests {
    /// What a request may bring.
    enum Credential: String, CaseIterable {
        case nothing, unreadable, otherScheme, forged, expired, otherAudience, otherHub
        case listen, send, manage, secondKey, namespace

        /// The value of `Authorization`.
        var token: String? {
            switch self {
            case .nothing: nil
            case .unreadable: "SharedAccessSignature sr=x&sig=y"
            case .otherScheme: "Bearer abc"
            case .forged: Self.sign(key: "no key of this hub")
            case .expired: Self.sign(secondsLeft: -3_600)
            case .otherAudience: Self.sign("https://hub.example.net/other", CoreHub.rootKey, root)
            case .otherHub: Self.sign(key: CoreHub.otherKey)
            case .listen: Self.sign(key: CoreHub.listenKey, rule: AccessRule.listenName)
            case .send: Self.sign(key: CoreHub.sendKey, rule: AccessRule.sendName)
            case .manage: Self.sign()
            case .secondKey: Self.sign(key: "second")
            case .namespace: Self.sign("https://hub.example.net/", CoreHub.rootKey, root)
            }
        }

        /// The sub code of the refusal for an operation with this right; nil when it is no matter
        /// of rights.
        func refusal(_ right: AccessRight, _ row: RouteRow) -> Int? {
            // Where no hub is named, keys of hubs are nobody's.
            let isKnown = row.path.parameters.contains("hub")
            return switch self {
            case _ where !isKnown && Self.ofHub.contains(self): 40103
            case .nothing: 40102
            case .unreadable, .otherScheme: 40105
            case .forged, .otherHub: 40103
            case .expired: 40106
            case .otherAudience: 40104
            case .listen: right == .listen ? nil : 40300
            case .send: right == .send ? nil : 40300
            case .manage, .secondKey: row.isOfNamespace ? 40300 : nil
            case .namespace: nil
            }
        }

        private static let ofHub = [Credential.expired, .listen, .send, .manage, .secondKey]

        private var root: String { AccessRule.rootName }

        private static func sign(
            _ resource: String = "https://hub.example.net/news",
            _ key: String = CoreHub.fullKey,
            _ rule: String = AccessRule.fullName,
            secondsLeft: Int = 600
        ) -> String {
            let now = Int(FakeHub.time.milliseconds / 1_000)
            let expiry = Timestamp(milliseconds: 0).adding(seconds: UInt64(now + secondsLeft))
            return SharedAccessSigner(keyName: rule, key: key).token(for: resource, expiry: expiry)
        }

        private static func sign(key: String, rule: String = AccessRule.fullName) -> String {
            sign("https://hub.example.net/news", key, rule)
        }
    }

    @Test("are asked for before anything else is looked at", arguments: [false, true])
    func matrix(listenMaySetProtectedTags: Bool) async throws {
        for row in RouteTable.rows {
            for credential in Credential.allCases {
                let hub = try CoreHub(listenMaySetProtectedTags: listenMaySetProtectedTags)
                let reply = try await Self.ask(hub, row, credential.token)
                let shown = "\(row.name) with \(credential): \(reply.status) \(reply.body)"
                if let right = row.right,
                    let subCode = credential.refusal(right, row)
                {
                    #expect(reply.status == subCode / 100, "\(shown)")
                    #expect(reply.body.contains("SubCode=\(subCode)."), "\(shown)")
                } else {
                    // An address that is its own permission is refused whatever the token.
                    let isRefused = reply.status == 403 && row.right != nil
                    #expect(reply.status != 401 && !isRefused, "\(shown)")
                }
                #expect(row.statuses.contains(reply.status), "undocumented: \(shown)")
            }
        }
    }

    @Test("tell nobody without a key of the namespace whether a hub exists")
    func unknownHub() async throws {
        for row in RouteTable.rows
        where row.right != nil && row.path.parameters.contains("hub") {
            let path = row.samplePath.replacing("/news", with: "/nowhere", maxReplacements: 1)
            for credential in Credential.allCases {
                let hub = try CoreHub()
                let reply = try await Self.ask(hub, row, credential.token, path: path)
                let shown = "\(row.name) with \(credential): \(reply.status) \(reply.body)"
                // Who may make hubs makes one where there is none.
                let found = row.name == "putHub" ? 201 : 404
                #expect(reply.status == (credential == .namespace ? found : 401), "\(shown)")
            }
        }
    }

    @Test(
        "protect the backend's tags from Listen tokens, unless switched off",
        arguments: [false, true]
    )
    func protectedTags(listenMaySetProtectedTags: Bool) async throws {
        let rows = RouteTable.rows.filter { row in
            guard row.right == .listen, case .read = row.body else { return false }
            return true
        }
        for row in rows {
            guard let body = Self.protected[row.name] else {
                Issue.record("\(row.name) takes a body from Listen tokens: which sets tags?")
                continue
            }
            for credential in [Credential.listen, .manage, .namespace] {
                let hub = try CoreHub(listenMaySetProtectedTags: listenMaySetProtectedTags)
                try await Self.prepare(hub, for: row)
                let reply = try await Self.ask(hub, row, credential.token, body: body)
                let shown = "\(row.name) with \(credential): \(reply.status) \(reply.body)"
                if credential == .listen, !listenMaySetProtectedTags {
                    #expect(reply.status == 403, "\(shown)")
                    #expect(reply.body.contains("username:mara"), "\(shown)")
                } else {
                    #expect(reply.status < 300, "\(shown)")
                }
            }
        }
    }

    /// A body with a protected tag for each operation that writes tags with the Listen right.
    private static let protected: [String: String] = [
        "createRegistration": registration, "putRegistration": registration,
        "putInstallation": installation(#","tags":["username:mara"]"#),
        "patchInstallation": #"[{"op":"add","path":"/tags","value":"username:mara"}]"#,
    ]

    private static func installation(_ more: String) -> String {
        #"{"installationId":"1-2-3","platform":"apns","pushChannel":"AB"\#(more)}"#
    }

    /// Makes what an operation changes, if it makes nothing itself.
    private static func prepare(_ hub: CoreHub, for row: RouteRow) async throws {
        guard row.name == "patchInstallation" else { return }
        let put = try #require(RouteTable.rows.first { $0.name == "putInstallation" })
        let reply = try await ask(hub, put, Credential.manage.token, body: installation(""))
        #expect(reply.status == 200, "\(reply.body)")
    }

    private static let registration = canonical(
        "AppleRegistrationDescription",
        "<Tags>world,username:mara</Tags><DeviceToken>AB</DeviceToken>"
    )

    private static func ask(
        _ hub: CoreHub,
        _ row: RouteRow,
        _ token: String?,
        path: String? = nil,
        body: String? = nil
    ) async throws -> Reply {
        var bytes: [UInt8]?
        if case .read(let note) = row.body {
            bytes = Array((body ?? note.example ?? "").utf8)
        }
        let verb = try #require(Verb(rawValue: row.method), "\(row.method)")
        let query = row.sampleQuery.isEmpty ? "" : "?\(row.sampleQuery)"
        return try await HubRESTTests.ask(
            hub,
            verb,
            (path ?? row.samplePath) + query,
            token: token,
            bytes: bytes
        )
    }
}
