import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Cases 66–69 of the relays' reference, and each row of its table 1.4.
@Suite("Windows' service")
struct WindowsServiceTests {
    static func request(
        type: String?,
        headers: [(String, String)] = [],
        body: [UInt8] = [65],
        transient: Bool = false,
        priority: NotificationPriority = .normal
    ) throws -> RelayRequest {
        try WindowsService.request(
            Samples.notification(
                body,
                headers: (type.map { [("x-wns-type", $0)] } ?? []) + headers,
                transient: transient,
                priority: priority
            ),
            to: ServiceAddress(
                Array("https://db5p.notify.windows.com/?token=AwY".utf8),
                hosts: ServiceHosts.windows
            ),
            accessToken: RelaySecret("EgA"),
            now: Samples.time
        )
    }

    @Test(
        "66: each kind has its content type",
        arguments: [
            ("wns/toast", "text/xml"), ("wns/tile", "text/xml"), ("wns/badge", "text/xml"),
            ("wns/raw", "application/octet-stream"),
        ]
    )
    func kinds(type: String, contentType: String) throws {
        let request = try Self.request(type: type)
        #expect(request.host == "db5p.notify.windows.com" && request.path == "/?token=AwY")
        #expect(request["x-wns-type"] == type && request["content-type"] == contentType)
        #expect(request["authorization"] == "Bearer EgA")
        #expect(request["x-wns-ttl"] == "3600" && request["x-wns-cache-policy"] == "cache")
        #expect(request["x-wns-requestforstatus"] == "true")
    }

    @Test("now or never is not cached; tags and priorities pass; other kinds are refused")
    func headers() throws {
        let request = try Self.request(
            type: "wns/toast",
            headers: [("x-wns-tag", "a"), ("x-wns-group", "b")],
            transient: true,
            priority: .high
        )
        #expect(request["x-wns-cache-policy"] == "no-cache" && request["x-wns-ttl"] == nil)
        #expect(request["x-wns-tag"] == "a" && request["x-wns-group"] == "b")
        #expect(request["x-wns-priority"] == "High")
        #expect(throws: RelayVerdict.self) { try Self.request(type: nil) }
        #expect(throws: RelayVerdict.self) { try Self.request(type: "wns/song") }
        let large = [UInt8](repeating: 65, count: 5_000)
        #expect(throws: Never.self) { try Self.request(type: "wns/raw", body: large) }
        let refusal = #expect(throws: RelayVerdict.self) {
            try Self.request(type: "wns/raw", body: large + [65])
        }
        #expect(refusal?.outcome == .invalidNotificationSize)
    }

    @Test("68: each issuer is asked with its own scope, and no other address ever")
    func tokens() throws {
        let store = WindowsToken.request(Samples.windowsCredential())
        #expect(store.host == "login.live.com" && store.path == "/accesstoken.srf")
        #expect(
            String(decoding: store.body, as: UTF8.self)
                == "grant_type=client_credentials&client_id=ms-app%3A%2F%2Fs-1-15-2-1"
                + "&client_secret=window%20secret%20of%20the%20package&scope=notify.windows.com"
        )
        let id = "01234567-89ab-cdef-0123-456789abcdef"
        guard
            case .windows(let credential) = try Samples.credential(
                .wns,
                [("PackageSid", id), ("SecretKey", "k"), ("TenantId", id)]
            )
        else {
            Issue.record("no credential")
            return
        }
        let tenant = WindowsToken.request(credential)
        #expect(tenant.host == "login.microsoftonline.com")
        #expect(tenant.path == "/\(id)/oauth2/v2.0/token")
        let body = String(decoding: tenant.body, as: UTF8.self)
        #expect(body.hasSuffix("scope=https%3A%2F%2Fwns.windows.com%2F.default"))
    }

    typealias Row = (
        status: Int, headers: [(name: String, value: String)], action: RelayAction,
        outcome: RelayOutcome
    )
    static let status = "X-WNS-NotificationStatus"
    static let rows: [Row] = [
        (200, [(status, "received")], .done, .success), (200, [], .done, .success),
        (200, [(status, "dropped")], .content, .dropped),
        (200, [(status, "channelthrottled")], .later(seconds: 600, most: 9_600), .channelThrottled),
        (200, [("X-WNS-Status", "dropped")], .content, .dropped),
        (
            200, [(status, "received"), ("X-WNS-DeviceConnectionStatus", "disconnected")], .done,
            .success
        ),
        (400, [], .content, .invalidNotificationFormat), (401, [], .renew, .invalidToken),
        (403, [], .suspect(mayDelete: false), .wrongToken),
        (404, [], .suspect(mayDelete: true), .badChannel),
        (405, [], .malformed, .pnsInterfaceError),
        (406, [("retry-after", "5")], .slow(retryAfter: 5), .throttled),
        (429, [], .slow(retryAfter: 60), .throttled),
        (410, [], .gone(since: nil), .expiredChannel),
        (413, [], .content, .invalidNotificationSize),
        (500, [], .later(seconds: 10, most: 640), .pnsServerError),
        (503, [("retry-after", "5")], .stall(retryAfter: 5), .pnsUnavailable),
        (418, [], .content, .unknownError),
    ]

    @Test(
        "67, 69, 110: each answer of table 1.4 has its action and outcome",
        arguments: rows.indices
    )
    func table(index: Int) {
        let row = Self.rows[index]
        let verdict = WindowsService.verdict(
            RelayAnswer(status: row.status, headers: row.headers),
            now: Samples.time
        )
        #expect(verdict.action == row.action && verdict.outcome == row.outcome, "\(row)")
    }
}
