import HubModel
import HubRelay
import HubTemplates
import HubVocabulary
import Testing

/// Cases 43–46 and 48–53 of the relays' reference, and each row of its table 1.2.
@Suite("Firebase's service")
struct FirebaseServiceTests {
    static func request(
        _ body: String,
        handle: ForeignHandle = .firebaseToken("ours:APA91b"),
        transient: Bool = false,
        high: Bool = false,
        now: Timestamp = Samples.time
    ) throws(RelayVerdict) -> (request: RelayRequest, message: JSONTree) {
        let request = try FirebaseService.form(
            Samples.notification(
                Array(body.utf8),
                transient: transient,
                priority: high ? .high : .normal
            ),
            credential: Samples.firebaseCredential(),
            accessToken: RelaySecret("ya29.token"),
            now: now
        ).request(to: handle)
        let tree = try? JSONTree(json: request.body.span, depthMax: 8)
        return (request, tree?.member("message") ?? .null)
    }

    static func text(_ tree: JSONTree?) -> String? {
        guard case .string(let text)? = tree else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    static func outcome(_ body: String) -> RelayOutcome? {
        do throws(RelayVerdict) {
            _ = try request(body)
            return nil
        } catch { return error.outcome }
    }

    @Test("43: the sender's message goes out with the hub's target and nothing else changed")
    func message() throws {
        let (request, _) = try Self.request(
            #"{"message":{"notification":{"title":"a","body":"b"},"data":{"c":"d"}}}"#
        )
        #expect(request.host == "fcm.googleapis.com")
        #expect(request.path == "/v1/projects/demo-project/messages:send")
        #expect(request["authorization"] == "Bearer ya29.token")
        #expect(request["content-type"] == "application/json")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"message":{"notification":{"title":"a","body":"b"},"data":{"c":"d"},"#
                + #""android":{"ttl":"3600s"},"token":"ours:APA91b"}}"#
        )
    }

    @Test("44: a sender's own target is replaced, of every kind")
    func targets() throws {
        for name in ["token", "topic", "condition", "fid"] {
            let (_, message) = try Self.request(#"{"\#(name)":"theirs","data":{"a":"b"}}"#)
            #expect(Self.text(message.member("token")) == "ours:APA91b")
            #expect(name == "token" || message.member(name) == nil)
        }
    }

    @Test("a handle with characters that JSON escapes reaches the service as it is")
    func escapes() throws {
        for handle in [#"a"b:APA91b"#, #"a\b"#, #"","topic":"all"#, "plain/slash"] {
            let body = #"{"data":{"a":"b"}}"#
            let (_, message) = try Self.request(body, handle: .firebaseToken(handle))
            #expect(Self.text(message.member("token")) == handle)
            #expect(message.member("topic") == nil)
            let (_, other) = try Self.request(body, handle: .firebaseInstallation(handle))
            #expect(Self.text(other.member("fid")) == handle)
        }
    }

    @Test("45: remaining life bounds every time to live; camelCase and snake_case stay as they are")
    func life() throws {
        func ttl(_ body: String, minutes: UInt64 = 0, transient: Bool = false) throws -> String? {
            let (_, message) = try Self.request(
                body,
                transient: transient,
                now: Samples.time.adding(seconds: minutes * 60)
            )
            return Self.text(message.member("android")?.member("ttl"))
        }
        #expect(try ttl(#"{"android":{"ttl":"86400s"}}"#) == "3600s")
        #expect(try ttl(#"{"android":{"ttl":"3.5s","collapseKey":"k"}}"#) == "3s")
        #expect(try ttl(#"{"data":{}}"#, minutes: 59) == "60s")
        #expect(try ttl(#"{"data":{}}"#, transient: true) == "0s")
        let (_, message) = try Self.request(
            #"{"android":{"collapseKey":"k"},"apns":{"headers":{"apns-priority":"5"}},"#
                + #""webpush":{"headers":{"TTL":"9"}}}"#
        )
        #expect(Self.text(message.member("android")?.member("collapseKey")) == "k")
        let apns = message.member("apns")?.member("headers")
        #expect(Self.text(apns?.member("apns-expiration")) == "1800003600")
        #expect(Self.text(message.member("webpush")?.member("headers")?.member("TTL")) == "3600")
    }

    @Test("high priority is asked for unless the sender says one")
    func priority() throws {
        func priority(_ body: String) throws -> String? {
            let (_, message) = try Self.request(body, high: true)
            return Self.text(message.member("android")?.member("priority"))
        }
        #expect(try priority("{}") == "high")
        #expect(try priority(#"{"android":{"priority":"NORMAL"}}"#) == "NORMAL")
    }

    @Test("51: an installation id has a field of its own")
    func installation() throws {
        let id = "cAbCdEfGhIjKlMnOpQrStU"
        let (_, message) = try Self.request("{}", handle: .firebaseInstallation(id))
        #expect(Self.text(message.member("fid")) == id && message.member("token") == nil)
    }

    @Test("52: data that is no string, a reserved name, or too much of it is refused")
    func data() {
        #expect(Self.outcome(#"{"data":{"a":1}}"#) == .invalidNotificationFormat)
        #expect(Self.outcome(#"{"data":[]}"#) == .invalidNotificationFormat)
        #expect(Self.outcome(#"{"data":{"google.x":"1"}}"#) == .invalidNotificationFormat)
        #expect(Self.outcome(#"{"data":{"from":"1"}}"#) == .invalidNotificationFormat)
        #expect(Self.outcome("[]") == .invalidNotificationFormat)
        #expect(Self.outcome("{") == .invalidNotificationFormat)
        func sized(_ count: Int) -> String {
            #"{"data":{"a":""# + String(repeating: "b", count: count) + #""}}"#
        }
        #expect(Self.outcome(sized(4_088)) == nil)
        #expect(Self.outcome(sized(4_089)) == .invalidNotificationSize)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let status: Int
        let code: String?
        let action: RelayAction
        let outcome: RelayOutcome
        var field = ""
        var message = ""
        var otherTook = false
        var retryAfter: String?
        var testDescription: String { "\(status) \(code ?? "–") \(field)\(message)" }

        init(_ status: Int, _ code: String?, _ action: RelayAction, _ outcome: RelayOutcome) {
            self.status = status
            self.code = code
            self.action = action
            self.outcome = outcome
        }

        func with(
            field: String = "",
            message: String = "",
            otherTook: Bool = false,
            retryAfter: String? = nil
        ) -> Row {
            var row = self
            row.field = field
            row.message = message
            row.otherTook = otherTook
            row.retryAfter = retryAfter
            return row
        }
    }

    static let invalid = "INVALID_ARGUMENT"
    static let rows: [Row] = [
        Row(400, invalid, .suspect(mayDelete: true), .badChannel).with(field: "message.token"),
        Row(400, invalid, .suspect(mayDelete: true), .badChannel).with(field: "message.fid"),
        Row(400, invalid, .suspect(mayDelete: true), .badChannel).with(otherTook: true),
        Row(400, invalid, .content, .invalidNotificationFormat),
        Row(400, invalid, .content, .invalidNotificationFormat)
            .with(field: "message.android.ttl", otherTook: true),
        Row(400, invalid, .content, .invalidNotificationSize)
            .with(message: "Android message is too big"),
        Row(401, nil, .renew, .invalidToken),
        Row(401, "THIRD_PARTY_AUTH_ERROR", .content, .invalidCredentials),
        Row(403, "SENDER_ID_MISMATCH", .suspect(mayDelete: false), .wrongToken),
        Row(403, nil, .credential, .invalidCredentials),
        Row(404, "UNREGISTERED", .gone(since: nil), .expiredChannel),
        Row(404, nil, .credential, .invalidCredentials),
        Row(429, "QUOTA_EXCEEDED", .slow(retryAfter: 60), .throttled),
        Row(429, "QUOTA_EXCEEDED", .slow(retryAfter: 30), .throttled).with(retryAfter: "30"),
        Row(429, "QUOTA_EXCEEDED", .later(seconds: 60, most: 3_600), .channelThrottled)
            .with(field: "device:abc", retryAfter: "10"),
        Row(500, "INTERNAL", .later(seconds: 10, most: 640), .pnsServerError),
        Row(503, "UNAVAILABLE", .stall(retryAfter: 7), .pnsUnavailable).with(retryAfter: "7"),
        Row(418, nil, .content, .unknownError),
    ]

    @Test("46, 49, 53, 110: each answer of table 1.2 has its action and outcome", arguments: rows)
    func table(row: Row) {
        let detail = row.code.map {
            #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#($0)"},"#
        }
        let body = """
            {"error":{"code":\(row.status),"status":"WORD","message":"\(row.message)","details":[\
            \(detail ?? ""){"@type":"type.googleapis.com/google.rpc.BadRequest",\
            "fieldViolations":[\(row.field.isEmpty ? "" : #"{"field":"\#(row.field)"}"#)]}]}}
            """
        let headers = row.retryAfter.map { [(name: "retry-after", value: $0)] } ?? []
        let verdict = FirebaseService.verdict(
            RelayAnswer(status: row.status, headers: headers, body: Array(body.utf8)),
            otherTook: row.otherTook,
            now: Samples.time
        )
        #expect(verdict.action == row.action && verdict.outcome == row.outcome)
        #expect(verdict.reason == row.code ?? "WORD")
    }

    @Test("48: the token endpoint gives a token, refuses the credential, or is not there")
    func tokenEndpoint() {
        func read(_ status: Int, _ body: String) -> AccessTokenRequest.Answer {
            AccessTokenRequest.read(
                RelayAnswer(status: status, body: Array(body.utf8)),
                now: Samples.time
            )
        }
        guard
            case .token(let token, let seconds) = read(
                200,
                #"{"access_token":"ya29","expires_in":3599,"token_type":"Bearer"}"#
            )
        else {
            Issue.record("no token")
            return
        }
        #expect(token == RelaySecret("ya29") && seconds == 3_599)
        guard case .refused(let wrong) = read(400, #"{"error":"invalid_grant"}"#),
            case .refused(let away) = read(503, ""), case .refused(let odd) = read(200, "{}")
        else {
            Issue.record("a token from nowhere")
            return
        }
        #expect(wrong.action == .credential && wrong.reason == "invalid_grant")
        #expect(away.action == .stall(retryAfter: nil))
        #expect(away.outcome == .tokenProviderUnreachable)
        #expect(odd.action == .credential)
        guard case .refused(let brief) = read(200, #"{"access_token":"ya29","expires_in":9}"#),
            case .token = read(200, #"{"access_token":"ya29","expires_in":10}"#)
        else {
            Issue.record("a token that ends at once")
            return
        }
        #expect(brief.action == .stall(retryAfter: nil))
        #expect(brief.outcome == .tokenProviderInterfaceError)
    }
}
