import HubModel
import HubRelay
import HubRelayLink
import HubVocabulary
import RelayFakes
import Testing

/// Part D of the relays' reference, over real connections to a fake of WNS.
@Suite("Relay to a fake of WNS")
struct WindowsCarrierTests {
    static let store: [(name: String, value: String)] = [("PackageSid", "ms-app://s-1-15-2-1")]
    static let entraClient = "11111111-2222-3333-4444-555555555555"

    static func token(
        _ carrier: WebCarrier,
        _ values: [(name: String, value: String)] = store
    ) async throws -> RelaySecret {
        let request = WindowsToken.request(try Faked.windows(values))
        let answer = try await carrier.send(request, within: Faked.patience)
        guard case .token(let token, _) = AccessTokenRequest.read(answer, now: Faked.now) else {
            throw CarrierFailure.unreachable("no token: \(answer.status)")
        }
        return token
    }

    static func request(_ token: RelaySecret, type: String = "wns/toast") throws -> RelayRequest {
        try WindowsService.request(
            Faked.notification(Array("<toast/>".utf8), headers: [("x-wns-type", type)]),
            to: ServiceAddress(
                Array("https://db5p.notify.windows.com/?token=abc".utf8),
                hosts: ServiceHosts.windows
            ),
            accessToken: token,
            now: Faked.now
        )
    }

    @Test("66: each kind of notification has the type and content that the service takes")
    func kinds() async throws {
        try await FakedService.run(Faked.windowsFake()) { faked in
            let carrier = WebCarrier(faked.options)
            let token = try await Self.token(carrier)
            for type in ["wns/toast", "wns/tile", "wns/badge", "wns/raw"] {
                let request = try Self.request(token, type: type)
                let answer = try await carrier.send(request, within: Faked.patience)
                #expect(WindowsService.verdict(answer, now: Faked.now).action == .done)
                #expect(faked.journal.entries.last?.request["x-wns-type"] == type)
            }
        }
    }

    @Test("68: both token endpoints take their scope")
    func tokens() async throws {
        try await FakedService.run(Faked.windowsFake()) { faked in
            _ = try await Self.token(WebCarrier(faked.options))
        }
        try await FakedService.run(Faked.windowsFake(client: Self.entraClient)) { faked in
            let values = [("PackageSid", Self.entraClient), ("TenantId", Self.entraClient)]
            _ = try await Self.token(
                WebCarrier(faked.options),
                values.map { (name: $0.0, value: $0.1) }
            )
        }
    }

    static let rows: [(word: String, action: RelayAction, outcome: RelayOutcome)] = [
        ("received", .done, .success), ("disconnected", .done, .success),
        ("dropped", .content, .dropped),
        ("channelthrottled", .later(seconds: 600, most: 9_600), .channelThrottled),
        ("400", .content, .invalidNotificationFormat), ("401", .renew, .invalidToken),
        ("403", .suspect(mayDelete: false), .wrongToken),
        ("404", .suspect(mayDelete: true), .badChannel),
        ("405", .malformed, .pnsInterfaceError), ("406+30", .slow(retryAfter: 30), .throttled),
        ("410", .gone(since: nil), .expiredChannel),
        ("413", .content, .invalidNotificationSize), ("429", .slow(retryAfter: 60), .throttled),
        ("500", .later(seconds: 10, most: 640), .pnsServerError),
        ("503+9", .stall(retryAfter: 9), .pnsUnavailable),
    ]

    @Test("67, 69, 110: each answer of the table has its action and outcome", arguments: rows)
    func answers(word: String, action: RelayAction, outcome: RelayOutcome) async throws {
        try await FakedService.run(Faked.windowsFake(), rules: ["@2=\(word)"]) { faked in
            let carrier = WebCarrier(faked.options)
            let request = try Self.request(await Self.token(carrier))
            let answer = try await carrier.send(request, within: Faked.patience)
            let verdict = WindowsService.verdict(answer, now: Faked.now)
            #expect(verdict.action == action)
            #expect(verdict.outcome == outcome)
        }
    }

    @Test("66: a request without a token is refused")
    func noToken() async throws {
        try await FakedService.run(Faked.windowsFake()) { faked in
            let request = try Self.request(RelaySecret("none"))
            let carrier = WebCarrier(faked.options)
            let answer = try await carrier.send(request, within: Faked.patience)
            #expect(WindowsService.verdict(answer, now: Faked.now).action == .renew)
        }
    }
}
