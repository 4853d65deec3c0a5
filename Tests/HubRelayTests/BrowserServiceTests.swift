import Crypto
import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Cases 54, 57, 60, 61, 63 and 65 of the relays' reference, and each row of its table 1.3.
@Suite("Browsers' services")
struct BrowserServiceTests {
    static func bytes(_ text: String) -> [UInt8] { Base64URL.decode(Array(text.utf8)) ?? [] }

    @Test("one host that is away or wants less holds up its own registration alone")
    func oneHost() {
        func later(_ seconds: UInt64, _ outcome: RelayOutcome) -> RelayVerdict {
            RelayVerdict(.later(seconds: seconds, most: 14_400), outcome, "why")
        }
        func verdict(_ action: RelayAction, _ outcome: RelayOutcome) -> RelayVerdict {
            RelayVerdict(action, outcome, "why").ofOneHost
        }
        #expect(
            verdict(.stall(retryAfter: nil), .pnsUnavailable) == later(300, .pnsUnavailable)
        )
        #expect(
            verdict(.stall(retryAfter: 900), .pnsUnavailable) == later(900, .pnsUnavailable)
        )
        #expect(verdict(.slow(retryAfter: 1), .throttled) == later(60, .throttled))
        #expect(verdict(.slow(retryAfter: 86_400), .throttled) == later(14_400, .throttled))
        #expect(verdict(.renew, .invalidCredentials) == later(60, .invalidCredentials))
        for action in [RelayAction.done, .content, .gone(since: nil), .credential, .renew, .again] {
            #expect(verdict(action, .invalidToken) == RelayVerdict(action, .invalidToken, "why"))
        }
    }

    @Test("54: RFC 8291's example is encrypted to its bytes")
    func vector() throws {
        let key = try #require(
            SubscriberKey(
                Self.bytes(
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
                )
            )
        )
        var draw = WebPushEncryption.Draw(
            key: Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
            salt: Self.bytes("DGv6ra1nlYgDCS1FRnbzlw")
        )
        let body = WebPushEncryption.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8),
            to: key,
            secret: Self.bytes("BTBZMqHH6r4Tts7J_aSIgg"),
            draw: &draw
        )
        // The key has served.
        #expect(draw.key == Array(repeating: 0, count: 32))
        #expect(
            body
                == Self.bytes(
                    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
                )
        )
    }

    static let subscriber = P256.KeyAgreement.PrivateKey()
    static let draw = WebPushEncryption.Draw(
        key: Array(P256.KeyAgreement.PrivateKey().rawRepresentation),
        salt: Array(repeating: 9, count: 16)
    )

    static func request(
        _ notification: RelayNotification,
        endpoint: String = "https://updates.push.services.mozilla.com/wpush/v2/abc?d=e",
        draw: WebPushEncryption.Draw = draw
    ) throws -> RelayRequest {
        var draw = draw
        let address = try ServiceAddress(Array(endpoint.utf8), hosts: ServiceHosts.browser)
        let key = try #require(SubscriberKey(Array(subscriber.publicKey.x963Representation)))
        return try BrowserService.form(
            notification,
            to: address,
            authorization: "vapid t=a,k=b",
            now: Samples.time
        ).request(
            to: address,
            key: key,
            secret: Array(repeating: 3, count: 16),
            draw: &draw
        )
    }

    @Test("a message goes to the endpoint with its life, urgency and encrypted body")
    func message() throws {
        let request = try Self.request(Samples.notification(Array("hi".utf8), priority: .high))
        #expect(request.host == "updates.push.services.mozilla.com")
        #expect(request.path == "/wpush/v2/abc?d=e")
        #expect(request["ttl"] == "3600" && request["urgency"] == "high")
        #expect(request["authorization"] == "vapid t=a,k=b" && request["topic"] == nil)
        #expect(request["content-encoding"] == "aes128gcm")
        #expect(request.body.count == 86 + 2 + 1 + 16)
        let empty = try Self.request(Samples.notification([]))
        #expect(empty.body.isEmpty && empty["content-encoding"] == nil)
    }

    @Test("57: 3,993 bytes fit one record of 4,096, and 3,994 are refused")
    func size() throws {
        let fitting = [UInt8](repeating: 65, count: 3_993)
        #expect(try Self.request(Samples.notification(fitting)).body.count == 4_096)
        let refusal = #expect(throws: RelayVerdict.self) {
            try Self.request(Samples.notification(fitting + [65]))
        }
        #expect(refusal?.outcome == .invalidNotificationSize)
        let zero = WebPushEncryption.Draw(
            key: Array(repeating: 0, count: 32),
            salt: Array(repeating: 0, count: 16)
        )
        #expect(throws: RelayVerdict.self) {
            try Self.request(Samples.notification(fitting), draw: zero)
        }
    }

    @Test("63: Windows' host gets a cache policy that agrees with the life")
    func windowsHost() throws {
        let endpoint = "https://wns2-par02p.notify.windows.com/w/?token=abc"
        func policy(transient: Bool) throws -> String? {
            try Self.request(
                Samples.notification([65], transient: transient),
                endpoint: endpoint
            )["x-wns-cache-policy"]
        }
        #expect(try policy(transient: true) == "no-cache")
        #expect(try policy(transient: false) == "cache")
        #expect(try Self.request(Samples.notification([65]))["x-wns-cache-policy"] == nil)
    }

    @Test("65: equal collapse keys are equal topics of 32 legal characters")
    func topics() throws {
        func topic(_ key: String) throws -> String {
            try #require(
                Self.request(Samples.notification([65], collapseKey: key))["topic"]
            )
        }
        let first = try topic("score")
        #expect(try topic("score") == first)
        #expect(try topic("other") != first)
        #expect(first.utf8.count == 32 && Base64URL.decode(Array(first.utf8)) != nil)
        #expect(!first.contains("+") && !first.contains("/"))
    }

    typealias Row = (
        status: Int, body: String, headers: [(name: String, value: String)], action: RelayAction,
        outcome: RelayOutcome
    )
    static let rows: [Row] = [
        (200, "", [], .done, .success), (201, "", [], .done, .success),
        (202, "", [], .done, .success), (204, "", [], .done, .success),
        (301, "", [("location", "https://evil.example")], .suspect(mayDelete: true), .badChannel),
        (308, "", [], .suspect(mayDelete: true), .badChannel),
        (400, #"{"errno":111,"message":"bad"}"#, [], .content, .invalidNotificationFormat),
        (400, #"{"errno":109,"message":"bad"}"#, [], .renew, .invalidCredentials),
        (
            400, "", [("X-WNS-Error-Description", "cache policy")], .content,
            .invalidNotificationFormat
        ),
        (400, #"{"reason":"VapidPkHashMismatch"}"#, [], .suspect(mayDelete: true), .wrongToken),
        (400, "UnauthorizedRegistration", [], .renew, .invalidCredentials),
        (401, "", [], .renew, .invalidCredentials),
        (403, #"{"reason":"BadJwtToken"}"#, [], .renew, .invalidCredentials),
        (404, #"{"errno":102}"#, [], .suspect(mayDelete: true), .badChannel),
        (410, #"{"errno":106}"#, [], .gone(since: nil), .expiredChannel),
        (413, "", [], .content, .invalidNotificationSize),
        (429, "", [("retry-after", "20")], .slow(retryAfter: 20), .throttled),
        (429, "", [], .later(seconds: 60, most: 3_600), .throttled),
        (500, "", [], .stall(retryAfter: nil), .pnsServerError),
        (502, "", [], .stall(retryAfter: nil), .pnsServerError),
        (503, "", [("retry-after", "9")], .stall(retryAfter: 9), .pnsUnavailable),
        (504, "", [], .stall(retryAfter: nil), .pnsServerError),
        (418, "", [], .content, .unknownError),
    ]

    @Test(
        "60, 61, 110: each answer of table 1.3 has its action and outcome",
        arguments: rows.indices
    )
    func table(index: Int) {
        let row = Self.rows[index]
        let verdict = BrowserService.verdict(
            RelayAnswer(status: row.status, headers: row.headers, body: Array(row.body.utf8)),
            now: Samples.time
        )
        #expect(verdict.action == row.action && verdict.outcome == row.outcome, "\(row)")
    }
}
