import Crypto
import HubRelay
import HubTemplates
package import HubVocabulary

/// A push service of browsers (RFC 8030, 8291, 8292) that is the browser too: it decrypts.
///
/// `GET /subscription/NAME` gives the subscription of that name; its keys follow from the name.
package struct BrowserFake: FakeService {
    private static let bodyBytesMax = 4_096
    private static let tokenSecondsMax: UInt64 = 86_400
    private static let topicBytesMax = 32

    package let name = "webpush"
    package let streams = (first: 100, then: 100)
    /// The server's key to which a subscription is bound by its first message.
    private var bound: [String: String] = [:]

    /// A service without messages.
    package init() {}

    package func handle(_ request: FakeRequest) -> String {
        let parts = request.parts
        return parts.count == 2 && parts[0] == "push" ? parts[1] : ""
    }

    package func text(_ request: FakeRequest) -> [UInt8] {
        BrowserSubscription(name: handle(request)).decrypt(request.body) ?? []
    }

    package mutating func answer(_ request: FakeRequest, now: Timestamp) -> FakeAnswer {
        let parts = request.parts
        if request.method == "GET", parts.count == 2, parts[0] == "subscription" {
            let subscription = BrowserSubscription(name: parts[1])
            return FakeAnswer(200, json: subscription.json(authority: request.authority))
        }
        guard request.method == "POST", !handle(request).isEmpty else { return error(404, 102) }
        if let refusal = proofRefusal(request, now: now) { return refusal }
        guard let ttl = request["ttl"], ASCII.decimal(ttl.utf8) != nil else {
            return error(400, 111)
        }
        if let topic = request["topic"] {
            guard (1...Self.topicBytesMax).contains(topic.utf8.count),
                topic.utf8.allSatisfy({ TextBytes.isName($0) || $0 == UInt8(ascii: "-") })
            else { return error(400, 112) }
        }
        guard [nil, "very-low", "low", "normal", "high"].contains(request["urgency"]) else {
            return error(400, 110)
        }
        guard request.body.count <= Self.bodyBytesMax else { return error(413, 104) }
        if !request.body.isEmpty {
            guard request["content-encoding"] == "aes128gcm",
                BrowserSubscription(name: handle(request)).decrypt(request.body) != nil
            else { return error(400, 110) }
        }
        return FakeAnswer(
            201,
            headers: [
                ("location", "https://\(request.authority)/message/\(handle(request))"),
                ("ttl", ttl),
            ]
        )
    }

    package func answer(word: String, detail: String?) -> FakeAnswer? {
        switch word {
        case "VapidPkHashMismatch", "BadJwtToken", "UnauthorizedRegistration":
            return FakeAnswer(403, word, json: .members([("reason", .text(word))]))
        default: break
        }
        guard let status = Int(word), (200..<600).contains(status) else { return nil }
        let numbers = [
            400: 110, 401: 109, 403: 109, 404: 103, 410: 106, 413: 104, 500: 999, 503: 201,
        ]
        if (300..<400).contains(status) {
            return FakeAnswer(status, word, headers: [("location", detail ?? "https://a.example/")])
        }
        if status < 300 { return FakeAnswer(status) }
        return error(status, numbers[status] ?? 999).adding("retry-after", detail)
    }

    /// RFC 8292: the token, its audience, its end, its subject, and the key.
    private mutating func proofRefusal(_ request: FakeRequest, now: Timestamp) -> FakeAnswer? {
        guard let value = request.authorization("vapid") else { return error(401, 109) }
        var fields: [Substring: String] = [:]
        for part in value.split(separator: ",") {
            let sides = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if sides.count == 2 { fields[sides[0]] = String(sides[1]) }
        }
        let seconds = now.milliseconds / 1_000
        guard let text = fields["k"], let bytes = Base64URL.decode(Array(text.utf8)),
            // Bytes that are no point are no key.
            let key = try? P256.Signing.PublicKey(x963Representation: bytes),
            let token = fields["t"].flatMap(SignedToken.init), token.isSigned(by: key),
            token.claims.text("aud") == "https://\(request.authority)",
            let ends = token.claims.whole("exp"), ends > seconds,
            ends <= seconds + Self.tokenSecondsMax
        else { return error(401, 109) }
        guard let subject = token.claims.text("sub"),
            subject.hasPrefix("mailto:") || subject.hasPrefix("https:"),
            !subject.contains("localhost")
        else { return answer(word: "BadJwtToken", detail: nil) }
        if let known = bound[handle(request)], known != text {
            return answer(word: "VapidPkHashMismatch", detail: nil)
        }
        bound[handle(request)] = text
        return nil
    }

    /// Mozilla's error document.
    private func error(_ status: Int, _ number: Int) -> FakeAnswer {
        FakeAnswer(
            status,
            "\(number)",
            json: .members([
                ("code", .whole(status)), ("errno", .whole(number)),
                ("error", .text(Self.words[number] ?? "Error")),
                ("message", .text(Self.words[number] ?? "Error")),
            ])
        )
    }

    private static let words = [
        102: "Request did not validate: invalid endpoint", 103: "Request did not validate: expired",
        104: "Data payload too large", 106: "Subscription is gone", 109: "Unauthorized",
        110: "Invalid crypto headers", 111: "Missing TTL header", 112: "Invalid topic header",
        201: "Use exponential back-off", 999: "Unknown error",
    ]
}
