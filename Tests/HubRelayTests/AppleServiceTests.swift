import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Cases 1, 22–27, 29–32, 34 and 36–39 of the relays' reference, and each row of its table 1.1.
@Suite("Apple's service")
struct AppleServiceTests {
    static func notification(
        _ body: String = #"{"aps":{"alert":"hello"}}"#,
        headers: [(String, String)] = [],
        transient: Bool = false,
        priority: NotificationPriority = .normal,
        collapseKey: String = ""
    ) -> RelayNotification {
        Samples.notification(
            Array(body.utf8),
            headers: headers,
            transient: transient,
            priority: priority,
            collapseKey: collapseKey
        )
    }

    static func request(
        _ notification: RelayNotification,
        authorization: String? = "jwt"
    ) throws(RelayVerdict) -> RelayRequest {
        try AppleService.form(
            notification,
            credential: Samples.appleCredential(),
            authorization: authorization
        ).request(to: "ab12", notification.identifier)
    }

    static func refusal(_ notification: RelayNotification) -> RelayVerdict? {
        do throws(RelayVerdict) {
            _ = try request(notification)
            return nil
        } catch { return error }
    }

    @Test("1: an alert is one request with every header that Apple wants")
    func alert() throws {
        let request = try Self.request(Self.notification())
        #expect(request.host == "api.push.apple.com" && request.port == 443)
        #expect(request.path == "/3/device/ab12")
        #expect(request["authorization"] == "bearer jwt")
        #expect(request["apns-topic"] == "com.example.app")
        #expect(request["apns-push-type"] == "alert")
        #expect(request["apns-priority"] == "10")
        #expect(request["apns-expiration"] == "1800003600")
        #expect(request["apns-collapse-id"] == nil)
        let id = try #require(request["apns-id"])
        #expect(id == id.lowercased() && id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(Array(id)[14] == "8")
        #expect(request.body == Array(#"{"aps":{"alert":"hello"}}"#.utf8))
        #expect(try Self.request(Self.notification())["apns-id"] == id)
        #expect(try Self.request(Self.notification(), authorization: nil)["authorization"] == nil)
    }

    @Test("an id of a request is the first half of a SHA-256, computed by Python's hashlib")
    func identifier() {
        let identifier = RelayIdentifier(
            hub: Samples.hub.name,
            place: Samples.place,
            registration: RegistrationNumber(3)
        )
        #expect(identifier.uuid == "e3da46ea-1910-8c21-a5fa-789e96049410")
    }

    @Test("a native record of the log is sent as it was accepted")
    func record() throws {
        let draft = NotificationDraft(
            format: .native(.apple),
            target: .broadcast,
            body: Array(#"{"aps":{"sound":"a"}}"#.utf8),
            headers: [NamedValue(name: Array("apns-priority".utf8), value: Array("5".utf8))],
            timeToLive: .seconds(60),
            collapseKey: Array("score".utf8),
            priority: .high
        )
        let record = NotificationRecord(
            sequence: Samples.place.sequence,
            id: NotificationID(high: Samples.time.milliseconds << 16, low: 1),
            draft: draft
        )
        let request = try Self.request(
            RelayNotification(record, Self.notification().identifier)
        )
        #expect(request.body == draft.body && request["apns-priority"] == "5")
        #expect(request["apns-expiration"] == "1800000060")
        #expect(request["apns-collapse-id"] == "score")
    }

    @Test("34: now or never has an expiration of 0, which is said")
    func transient() throws {
        #expect(try Self.request(Self.notification(transient: true))["apns-expiration"] == "0")
    }

    @Test("36: content without anything to show is background, with priority 5 whatever was asked")
    func background() throws {
        let body = #"{"aps":{"content-available":1},"a":2}"#
        let request = try Self.request(
            Self.notification(body, headers: [("apns-priority", "10")], priority: .high)
        )
        #expect(request["apns-push-type"] == "background" && request["apns-priority"] == "5")
        let shown = #"{"aps":{"content-available":1,"badge":2}}"#
        #expect(try Self.request(Self.notification(shown))["apns-push-type"] == "alert")
    }

    @Test("37: a VoIP topic implies its kind and its larger payload")
    func voip() throws {
        let headers = [("apns-topic", "com.example.app.voip")]
        let body = "{\"a\":\"" + String(repeating: "b", count: 5_112) + "\"}"
        #expect(body.utf8.count == 5_120)
        let request = try Self.request(Self.notification(body, headers: headers))
        #expect(request["apns-push-type"] == "voip")
        #expect(request["apns-topic"] == "com.example.app.voip")
        let long = Self.refusal(Self.notification(body + " ", headers: headers))
        #expect(long?.outcome == .invalidNotificationSize)
        let alone = Self.refusal(Self.notification(body))
        #expect(alone?.outcome == .invalidNotificationSize && alone?.action == .content)
        let typed = try Self.request(
            Self.notification(headers: [("apns-push-type", "liveactivity")])
        )
        #expect(typed["apns-topic"] == "com.example.app.push-type.liveactivity")
    }

    @Test("38: a topic of another app, an unknown kind and an unknown priority are refused")
    func foreignTopic() {
        for (name, value) in [
            ("apns-topic", "other.app"), ("apns-topic", "com.example.application"),
            ("apns-push-type", "shout"), ("apns-priority", "11"),
        ] {
            let verdict = Self.refusal(Self.notification(headers: [(name, value)]))
            #expect(verdict?.outcome == .invalidNotificationFormat, "\(name): \(value)")
        }
    }

    @Test("priorities and collapse keys get the forms that Apple takes")
    func forms() throws {
        func header(_ name: String, _ notification: RelayNotification) throws -> String? {
            try Self.request(notification)[name]
        }
        #expect(try header("apns-priority", Self.notification(priority: .low)) == "5")
        #expect(try header("apns-priority", Self.notification(priority: .veryLow)) == "1")
        #expect(try header("apns-collapse-id", Self.notification(collapseKey: "score")) == "score")
        let odd = try header("apns-collapse-id", Self.notification(collapseKey: "a\u{e9} b"))
        #expect(odd?.utf8.count == 32)
        let own = Self.notification(headers: [("apns-collapse-id", "mine")], collapseKey: "score")
        #expect(try header("apns-collapse-id", own) == "mine")
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let status: Int
        let reason: String
        let action: RelayAction
        let outcome: RelayOutcome
        var headers: [(String, String)] = []
        var testDescription: String { "\(status) \(reason)" }

        init(
            _ status: Int,
            _ reason: String,
            _ action: RelayAction,
            _ outcome: RelayOutcome,
            _ headers: [(String, String)] = []
        ) {
            self.status = status
            self.reason = reason
            self.action = action
            self.outcome = outcome
            self.headers = headers
        }
    }

    static let rows: [Row] = [
        Row(400, "BadDeviceToken", .suspect(mayDelete: true), .badChannel),
        Row(400, "DeviceTokenNotForTopic", .suspect(mayDelete: false), .wrongChannel),
        Row(400, "BadCollapseId", .malformed, .invalidNotificationFormat),
        Row(
            400,
            "BadCollapseId",
            .content,
            .invalidNotificationFormat,
            [("apns-collapse-id", "x")]
        ),
        Row(400, "BadExpirationDate", .malformed, .invalidNotificationFormat),
        Row(400, "BadPriority", .content, .invalidNotificationFormat, [("apns-priority", "10")]),
        Row(
            400,
            "InvalidPushType",
            .content,
            .invalidNotificationFormat,
            [("apns-push-type", "a")]
        ),
        Row(400, "BadMessageId", .malformed, .invalidNotificationFormat),
        Row(400, "DuplicateHeaders", .malformed, .invalidNotificationFormat),
        Row(400, "BadTopic", .credential, .invalidCredentials),
        Row(400, "TopicDisallowed", .content, .invalidNotificationFormat, [("apns-topic", "a")]),
        Row(400, "MissingTopic", .credential, .invalidCredentials),
        Row(400, "MissingDeviceToken", .malformed, .invalidNotificationFormat),
        Row(400, "PayloadEmpty", .malformed, .invalidNotificationFormat),
        Row(400, "IdleTimeout", .again, .pnsUnavailable),
        Row(403, "ExpiredProviderToken", .renew, .invalidToken),
        Row(403, "MissingProviderToken", .renew, .invalidToken),
        Row(403, "InvalidProviderToken", .credential, .invalidCredentials),
        Row(403, "BadCertificate", .credential, .invalidCredentials),
        Row(403, "BadCertificateEnvironment", .credential, .invalidCredentials),
        Row(403, "BadEnvironmentKeyIdInToken", .credential, .invalidCredentials),
        Row(403, "BadEnvironmentKeyInToken", .credential, .invalidCredentials),
        Row(403, "UnrelatedKeyIdInToken", .credential, .invalidCredentials),
        Row(403, "Forbidden", .credential, .invalidCredentials),
        Row(404, "BadPath", .malformed, .pnsInterfaceError),
        Row(405, "MethodNotAllowed", .malformed, .pnsInterfaceError),
        Row(410, "Unregistered", .gone(since: nil), .expiredChannel),
        Row(410, "ExpiredToken", .gone(since: nil), .expiredChannel),
        Row(413, "PayloadTooLarge", .content, .invalidNotificationSize),
        Row(429, "TooManyRequests", .later(seconds: 60, most: 3_600), .channelThrottled),
        Row(429, "TooManyProviderTokenUpdates", .keepOlderToken(seconds: 1_200), .throttled),
        Row(500, "InternalServerError", .later(seconds: 2, most: 64), .pnsServerError),
        Row(503, "ServiceUnavailable", .stall(retryAfter: nil), .pnsUnavailable),
        Row(503, "Shutdown", .again, .pnsUnavailable),
        Row(418, "Teapot", .content, .unknownError),
        Row(502, "", .stall(retryAfter: nil), .pnsServerError),
    ]

    @Test("110: each answer of table 1.1 has its action and its outcome", arguments: rows)
    func table(row: Row) {
        let body = row.reason.isEmpty ? "" : #"{"reason":"\#(row.reason)"}"#
        let verdict = AppleService.verdict(
            RelayAnswer(status: row.status, body: Array(body.utf8)),
            to: Self.notification(headers: row.headers),
            now: Samples.time
        )
        #expect(verdict.action == row.action && verdict.outcome == row.outcome)
        #expect(verdict.reason == (row.reason.isEmpty ? "status 502" : row.reason))
    }

    @Test("200 is success; 410 says since when; a reason is a stranger's text")
    func answers() {
        func verdict(_ status: Int, _ body: String) -> RelayVerdict {
            AppleService.verdict(
                RelayAnswer(status: status, body: Array(body.utf8)),
                to: Self.notification(),
                now: Samples.time
            )
        }
        #expect(verdict(200, "").action == .done)
        let gone = verdict(410, #"{"reason":"Unregistered","timestamp":1700000000123}"#)
        #expect(gone.action == .gone(since: Timestamp(milliseconds: 1_700_000_000_123)))
        let long = String(repeating: "é\\n", count: 100)
        let strange = verdict(400, "{\"reason\":\"\(long)\"}")
        #expect(strange.reason.utf8.count <= 64 && !strange.reason.contains("\n"))
        #expect(verdict(400, "<html>").outcome == .unknownError)
    }

    @Test("Retry-After is a number or a date; nonsense is none, and a day is the most")
    func retryAfter() {
        func seconds(_ text: String) -> UInt64? {
            RelayAnswer(status: 503, headers: [("Retry-After", text)]).retryAfter(now: Samples.time)
        }
        #expect(seconds("30") == 30 && seconds("-5") == 0 && seconds("1000000000") == 86_400)
        #expect(seconds("soon") == nil && seconds("") == nil)
        #expect(seconds("Fri, 15 Jan 2027 08:00:30 GMT") == 30)
        #expect(seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 0)
        #expect(seconds("Fri, 15 Foo 2027 08:00:30 GMT") == nil)
        let answer = RelayAnswer(status: 403, headers: [("date", "Fri, 15 Jan 2027 08:05:00 GMT")])
        #expect(answer.clockBehindSeconds(now: Samples.time) == 300)
    }
}
