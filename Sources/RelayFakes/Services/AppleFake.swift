package import Crypto
import HubTemplates
package import HubVocabulary

/// APNs, as "Sending notification requests to APNs" and "Handling notification responses" say.
package struct AppleFake: FakeService {
    /// A provider token lives so long.
    private static let tokenSeconds: UInt64 = 3_600
    /// Two provider tokens of a key are so far apart.
    private static let updateSeconds: UInt64 = 1_200
    private static let collapseBytesMax = 64
    private static let types: Set<String> = [
        "alert", "background", "voip", "complication", "fileprovider", "mdm", "location",
        "liveactivity", "pushtotalk", "widgets", "controls",
    ]

    package let name = "apns"
    package let streams = (first: 1, then: 1_000)
    private let key: P256.Signing.PublicKey
    private let keyID: String
    private let team: String
    private let bundle: String
    /// The times of issue of tokens, newest last.
    private var issued: [UInt64] = []

    /// A service that knows one key of one team, for one app.
    package init(key: P256.Signing.PublicKey, keyID: String, team: String, bundle: String) {
        self.key = key
        self.keyID = keyID
        self.team = team
        self.bundle = bundle
    }

    package func handle(_ request: FakeRequest) -> String {
        let parts = request.parts
        return parts.count == 3 && parts[0] == "3" && parts[1] == "device" ? parts[2] : ""
    }

    package func text(_ request: FakeRequest) -> [UInt8] { request.body }

    package mutating func answer(_ request: FakeRequest, now: Timestamp) -> FakeAnswer {
        let word = refusal(request, now: now) ?? ""
        var answer = word.isEmpty ? FakeAnswer(200) : table(word, nil)
        answer.headers.append(("apns-id", request["apns-id"] ?? Self.identifier(request)))
        return answer
    }

    package func answer(word: String, detail: String?) -> FakeAnswer? {
        Self.statuses[word] == nil ? nil : table(word, detail)
    }

    /// Statuses by reason.
    package static let statuses: [String: Int] = [
        "BadCollapseId": 400, "BadDeviceToken": 400, "BadExpirationDate": 400,
        "BadMessageId": 400, "BadPriority": 400, "BadTopic": 400, "DeviceTokenNotForTopic": 400,
        "DuplicateHeaders": 400, "IdleTimeout": 400, "InvalidPushType": 400,
        "MissingDeviceToken": 400, "MissingTopic": 400, "PayloadEmpty": 400,
        "TopicDisallowed": 400, "BadCertificate": 403, "BadCertificateEnvironment": 403,
        "ExpiredProviderToken": 403, "Forbidden": 403, "InvalidProviderToken": 403,
        "MissingProviderToken": 403, "UnrelatedKeyIdInToken": 403,
        "BadEnvironmentKeyIdInToken": 403, "BadPath": 404, "MethodNotAllowed": 405,
        "ExpiredToken": 410, "Unregistered": 410, "PayloadTooLarge": 413,
        "TooManyProviderTokenUpdates": 429, "TooManyRequests": 429, "InternalServerError": 500,
        "ServiceUnavailable": 503, "Shutdown": 503,
    ]

    private func table(_ word: String, _ detail: String?) -> FakeAnswer {
        let status = Self.statuses[word] ?? 500
        var members: [(String, JSONTree)] = [("reason", .text(word))]
        if status == 410 {
            members.append(("timestamp", .whole(detail.flatMap { Int($0) } ?? 1_700_000_000_000)))
        }
        return FakeAnswer(status, word, json: .members(members))
            .adding("retry-after", status == 429 || status == 503 ? detail : nil)
    }

    /// The first rule that a request breaks.
    private mutating func refusal(_ request: FakeRequest, now: Timestamp) -> String? {
        guard request.method == "POST" else { return "MethodNotAllowed" }
        let parts = request.parts
        guard parts.count >= 2, parts[0] == "3", parts[1] == "device", parts.count <= 3 else {
            return "BadPath"
        }
        guard parts.count == 3 else { return "MissingDeviceToken" }
        let names = request.headers.map(\.name).filter { $0.hasPrefix("apns-") }
        guard Set(names).count == names.count else { return "DuplicateHeaders" }
        if let word = proofRefusal(request, now: now) { return word }
        guard let token = HexText.decode(Array(parts[2].utf8).span), (1...100).contains(token.count)
        else { return "BadDeviceToken" }
        return headerRefusal(request) ?? bodyRefusal(request)
    }

    private mutating func proofRefusal(_ request: FakeRequest, now: Timestamp) -> String? {
        guard let text = request.authorization("bearer") else {
            return request.certifiedTopic == nil ? "MissingProviderToken" : nil
        }
        guard let token = SignedToken(text), token.header.text("kid") == keyID,
            token.claims.text("iss") == team, let made = token.claims.whole("iat"),
            token.isSigned(by: key)
        else { return "InvalidProviderToken" }
        let seconds = now.milliseconds / 1_000
        guard made <= seconds + 300, seconds < made + Self.tokenSeconds else {
            return "ExpiredProviderToken"
        }
        if issued.contains(made) { return nil }
        if let last = issued.last, made > last, made < last + Self.updateSeconds {
            return "TooManyProviderTokenUpdates"
        }
        issued.append(made)
        return nil
    }

    private func headerRefusal(_ request: FakeRequest) -> String? {
        let app = request.certifiedTopic ?? bundle
        guard let topic = request["apns-topic"] ?? request.certifiedTopic else {
            return "MissingTopic"
        }
        guard topic == app || topic.hasPrefix(app + ".") else { return "TopicDisallowed" }
        let type = request["apns-push-type"]
        if let type, !Self.types.contains(type) { return "InvalidPushType" }
        let priority = request["apns-priority"]
        guard [nil, "10", "5", "1"].contains(priority), type != "background" || priority != "10"
        else { return "BadPriority" }
        if let expiration = request["apns-expiration"], ASCII.decimal(expiration.utf8) == nil {
            return "BadExpirationDate"
        }
        if let id = request["apns-id"], !Self.isIdentifier(id) { return "BadMessageId" }
        let collapse = request["apns-collapse-id"]?.utf8.count ?? 0
        return collapse > Self.collapseBytesMax ? "BadCollapseId" : nil
    }

    private func bodyRefusal(_ request: FakeRequest) -> String? {
        guard !request.body.isEmpty else { return "PayloadEmpty" }
        let isVoIP = request["apns-push-type"] == "voip"
        return request.body.count > (isVoIP ? 5_120 : 4_096) ? "PayloadTooLarge" : nil
    }

    private static func isIdentifier(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { HexText.digit($0) != nil }
    }

    /// A name for a request that brought none; the same request gets the same.
    private static func identifier(_ request: FakeRequest) -> String {
        let digits = HexText.lowercase(
            Array(SHA256.hash(data: Array("\(request.connection) \(request.stream)".utf8)))
        )
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst()).map { from, to in
            String(digits.dropFirst(from).prefix(to - from))
        }.joined(separator: "-")
    }
}
