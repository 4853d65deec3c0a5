package import CryptoExtras
import Crypto
import HubRelay
import HubTemplates
package import HubVocabulary

/// FCM's HTTP v1 interface, and the endpoint that hands out its access tokens.
package struct FirebaseFake: FakeService {
    private static let payloadBytesMax = 4_096
    private static let lifeSeconds = 3_599
    /// Either of them allows messages.
    private static let scopes: Set<String> = [
        "https://www.googleapis.com/auth/firebase.messaging",
        "https://www.googleapis.com/auth/cloud-platform",
    ]
    private static let audience = "https://oauth2.googleapis.com/token"
    private static let targets = ["token", "fid", "topic", "condition"]

    package let name = "fcm"
    package let streams = (first: 100, then: 100)
    private let key: _RSA.Signing.PublicKey
    private let project: String
    private let email: String
    /// Access tokens, and when they end.
    private var granted: [String: UInt64] = [:]

    /// A project with one service account.
    package init(key: _RSA.Signing.PublicKey, project: String, email: String) {
        self.key = key
        self.project = project
        self.email = email
    }

    package func handle(_ request: FakeRequest) -> String {
        let message = JSONTree(reading: request.body)?.member("message")
        return message?.text("token") ?? message?.text("fid") ?? ""
    }

    package func text(_ request: FakeRequest) -> [UInt8] {
        request.path.hasPrefix("/v1/") ? request.body : []
    }

    package mutating func answer(_ request: FakeRequest, now: Timestamp) -> FakeAnswer {
        guard request.method == "POST" else { return error(404, "NOT_FOUND") }
        if request.parts.last == "token" { return grant(request, now: now) }
        let parts = request.parts
        guard parts.count == 4, parts[0] == "v1", parts[1] == "projects",
            parts[3] == "messages:send"
        else { return error(404, "NOT_FOUND") }
        guard let token = request.authorization("bearer"), let end = granted[token],
            now.milliseconds < end
        else { return error(401, "UNAUTHENTICATED") }
        guard parts[2] == project else { return error(403, "PERMISSION_DENIED") }
        return judge(request)
    }

    package func answer(word: String, detail: String?) -> FakeAnswer? {
        let table: [String: (status: Int, canonical: String)] = [
            "INVALID_ARGUMENT": (400, "INVALID_ARGUMENT"),
            "THIRD_PARTY_AUTH_ERROR": (401, "UNAUTHENTICATED"),
            "SENDER_ID_MISMATCH": (403, "PERMISSION_DENIED"), "UNREGISTERED": (404, "NOT_FOUND"),
            "QUOTA_EXCEEDED": (429, "RESOURCE_EXHAUSTED"), "INTERNAL": (500, "INTERNAL"),
            "UNAVAILABLE": (503, "UNAVAILABLE"),
        ]
        switch word {
        case "UNAUTHENTICATED": return error(401, word)
        case "PERMISSION_DENIED": return error(403, word)
        case "NOT_FOUND": return error(404, word)
        case "BAD_TOKEN": return error(400, "INVALID_ARGUMENT", field: "message.token")
        case "DEVICE_QUOTA":
            return error(
                429,
                "RESOURCE_EXHAUSTED",
                code: "QUOTA_EXCEEDED",
                subject: "device:\(project)"
            ).adding("retry-after", detail)
        case "invalid_grant":
            return FakeAnswer(400, word, json: .members([("error", .text(word))]))
        default:
            guard let row = table[word] else { return nil }
            return error(row.status, row.canonical, code: word).adding("retry-after", detail)
        }
    }

    /// The grant of RFC 7523.
    private mutating func grant(_ request: FakeRequest, now: Timestamp) -> FakeAnswer {
        let form = FormText.read(request.body)
        func refused(_ word: String) -> FakeAnswer {
            FakeAnswer(400, word, json: .members([("error", .text(word))]))
        }
        guard form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer" else {
            return refused("unsupported_grant_type")
        }
        let seconds = now.milliseconds / 1_000
        guard let token = form["assertion"].flatMap(SignedToken.init), token.isSigned(by: key),
            token.claims.text("iss") == email, token.claims.text("aud") == Self.audience,
            let scopes = token.claims.text("scope")?.split(separator: " ").map(String.init),
            !Self.scopes.isDisjoint(with: scopes),
            let made = token.claims.whole("iat"), let ends = token.claims.whole("exp"),
            made <= seconds + 300, ends > seconds, ends <= made + 3_600
        else { return refused("invalid_grant") }
        let text = "ya29.fake-\(granted.count)-\(made)"
        granted[text] = now.adding(seconds: UInt64(Self.lifeSeconds)).milliseconds
        return FakeAnswer(
            200,
            json: .members([
                ("access_token", .text(text)), ("expires_in", .whole(Self.lifeSeconds)),
                ("token_type", .text("Bearer")),
            ])
        )
    }

    private func judge(_ request: FakeRequest) -> FakeAnswer {
        let field = { (field: String) in self.error(400, "INVALID_ARGUMENT", field: field) }
        guard let message = JSONTree(reading: request.body)?.member("message"),
            case .object = message
        else { return field("message") }
        guard Self.targets.filter({ message.member($0) != nil }).count == 1 else {
            return field("message")
        }
        let handle = handle(request)
        guard PlainText.isVisibleASCII(handle.utf8), !handle.isEmpty else {
            return field("message.token")
        }
        if case .object(let data)? = message.member("data") {
            for (index, value) in data.enumerated() {
                guard case .string = value.value else {
                    return field("message.data[\(index)].value")
                }
            }
        }
        if let ttl = message.member("android")?.text("ttl") {
            guard ttl.hasSuffix("s"), let seconds = Double(ttl.dropLast()),
                (0...2_419_200).contains(seconds)
            else { return field("message.android.ttl") }
        }
        let size = ["notification", "data"].compactMap { message.member($0)?.json.count }
        guard size.reduce(0, +) <= Self.payloadBytesMax else {
            return error(400, "INVALID_ARGUMENT", message: "Android message is too big")
        }
        let number = Base64URL.encode(Array(SHA256.hash(data: request.body).prefix(6)))
        return FakeAnswer(
            200,
            json: .members([("name", .text("projects/\(project)/messages/0:\(number)"))])
        )
    }

    /// Google's error document.
    private func error(
        _ status: Int,
        _ canonical: String,
        code: String? = nil,
        field: String? = nil,
        subject: String? = nil,
        message: String? = nil
    ) -> FakeAnswer {
        let types = "type.googleapis.com/google."
        var details: [JSONTree] = []
        if let code {
            details.append(
                .members([
                    ("@type", .text(types + "firebase.fcm.v1.FcmError")),
                    ("errorCode", .text(code)),
                ])
            )
        }
        if let field {
            let violation = JSONTree.members([
                ("field", .text(field)), ("description", .text("Invalid value")),
            ])
            details.append(
                .members([
                    ("@type", .text(types + "rpc.BadRequest")),
                    ("fieldViolations", .array([violation])),
                ])
            )
        }
        if let subject {
            let violation = JSONTree.members([("subject", .text(subject))])
            details.append(
                .members([
                    ("@type", .text(types + "rpc.QuotaFailure")),
                    ("violations", .array([violation])),
                ])
            )
        }
        let error = JSONTree.members([
            ("code", .whole(status)), ("message", .text(message ?? canonical)),
            ("status", .text(canonical)), ("details", .array(details)),
        ])
        return FakeAnswer(status, code ?? canonical, json: .members([("error", error)]))
    }
}
