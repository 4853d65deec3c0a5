import HubTemplates
package import HubVocabulary

/// The Windows push service, and the two endpoints that hand out its access tokens.
package struct WindowsFake: FakeService {
    private static let payloadBytesMax = 5_000
    private static let lifeSeconds = 86_400

    package let name = "wns"
    package let streams = (first: 100, then: 100)
    private let client: String
    private let secret: String
    private var granted: [String: UInt64] = [:]

    /// A service that knows one app.
    package init(client: String, secret: String) {
        self.client = client
        self.secret = secret
    }

    package func handle(_ request: FakeRequest) -> String {
        // A fake may stand at another port than the channel names.
        isTokenRequest(request)
            ? "" : "https://\(request.authority.prefix { $0 != ":" })\(request.path)"
    }

    package func text(_ request: FakeRequest) -> [UInt8] {
        isTokenRequest(request) ? [] : request.body
    }

    package mutating func answer(_ request: FakeRequest, now: Timestamp) -> FakeAnswer {
        if isTokenRequest(request) { return grant(request, now: now) }
        guard request.method == "POST" else { return refusal(405, "only POST") }
        guard let token = request.authorization("bearer"), let end = granted[token],
            now.milliseconds < end
        else { return refusal(401, "the access token is none, or is over") }
        guard let type = request["x-wns-type"],
            ["wns/toast", "wns/tile", "wns/badge", "wns/raw"].contains(type)
        else { return refusal(400, "X-WNS-Type") }
        let wanted = type == "wns/raw" ? "application/octet-stream" : "text/xml"
        guard request["content-type"]?.hasPrefix(wanted) == true else {
            return refusal(400, "Content-Type")
        }
        guard [nil, "cache", "no-cache"].contains(request["x-wns-cache-policy"]),
            request["x-wns-ttl"].map({ ASCII.decimal($0.utf8) != nil }) ?? true,
            (request["x-wns-tag"]?.utf8.count ?? 0) <= 16
        else { return refusal(400, "an X-WNS header") }
        guard request.body.count <= Self.payloadBytesMax else { return refusal(413, "too large") }
        return taken("received")
    }

    package func answer(word: String, detail: String?) -> FakeAnswer? {
        switch word {
        case "received", "dropped", "channelthrottled": taken(word)
        case "disconnected": taken("received", device: "disconnected")
        default:
            Int(word).flatMap { status in
                (400..<600).contains(status)
                    ? refusal(status, "as the script says").adding("retry-after", detail) : nil
            }
        }
    }

    /// `/accesstoken.srf` of Live, `/{tenant}/oauth2/v2.0/token` of Entra.
    private func isTokenRequest(_ request: FakeRequest) -> Bool {
        request.parts == ["accesstoken.srf"]
            || Array(request.parts.dropFirst()) == ["oauth2", "v2.0", "token"]
    }

    private mutating func grant(_ request: FakeRequest, now: Timestamp) -> FakeAnswer {
        let form = FormText.read(request.body)
        let isLive = request.parts == ["accesstoken.srf"]
        let scope = isLive ? "notify.windows.com" : "https://wns.windows.com/.default"
        guard form["grant_type"] == "client_credentials", form["client_id"] == client,
            form["client_secret"] == secret, form["scope"] == scope
        else {
            return FakeAnswer(
                400,
                "invalid_client",
                json: .members([("error", .text("invalid_client"))])
            )
        }
        let text = "EgAdfake-\(granted.count)"
        granted[text] = now.adding(seconds: UInt64(Self.lifeSeconds)).milliseconds
        return FakeAnswer(
            200,
            json: .members([
                ("access_token", .text(text)), ("expires_in", .whole(Self.lifeSeconds)),
                ("token_type", .text("bearer")),
            ])
        )
    }

    /// 200 says what became of it in a header.
    private func taken(_ status: String, device: String = "connected") -> FakeAnswer {
        FakeAnswer(
            200,
            status == "received" ? "" : status,
            headers: [
                ("x-wns-notificationstatus", status), ("x-wns-deviceconnectionstatus", device),
                ("x-wns-msg-id", "1A2B3C4D5E6F7081"), ("x-wns-debug-trace", "BN3SCH020"),
            ]
        )
    }

    private func refusal(_ status: Int, _ text: String) -> FakeAnswer {
        FakeAnswer(status, "\(status)", headers: [("x-wns-error-description", text)])
    }
}
