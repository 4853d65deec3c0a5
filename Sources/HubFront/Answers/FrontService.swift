import HubDirectory
import HubHistory
import HubModel
import HubREST
import HubRules
import HubTransport
import HubVocabulary

/// The node itself, as operators ask it while another leads: its numbers and its settings.
///
/// A front has no hub: a question about one is a defect of its own, and refused.
struct FrontService: Sendable {
    private let keys: FrontKeys
    private let numbers: @Sendable () -> String
    private let described: @Sendable () -> ServerDescription

    /// Answers operators whom these keys let in.
    init(
        keys: FrontKeys,
        numbers: @escaping @Sendable () -> String,
        described: @escaping @Sendable () -> ServerDescription
    ) {
        self.keys = keys
        self.numbers = numbers
        self.described = described
    }
}

extension FrontService: HubService {
    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        try keys.authorize(request, now: now)
    }

    func authorizeNamespace(
        _ request: NamespaceAccessRequest
    ) throws(Refusal) -> AccessGrant {
        try keys.policies.authorizeNamespace(request, now: now)
    }

    func submit<Request: HubRequest>(
        _ request: Request,
        to hub: HubName,
        reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    ) {
        reply(.failure(.hubNotFound(name: hub.description)))
    }

    func hub(_ name: HubName) throws(Refusal) -> HubDescription {
        throw .hubNotFound(name: name.description)
    }

    func hubs(
        skip: Int,
        limit: Int
    ) throws(Refusal) -> ListPage<HubDescription, Int> {
        ListPage([], next: nil)
    }

    func submit(
        _ change: NamespaceChange,
        reply: @escaping @Sendable (Result<HubDescription, Refusal>) -> Void
    ) {
        reply(.failure(.storeUnavailable(retryAfterSeconds: 1)))
    }

    var namespaceRules: [HubRule] { [] }

    func renew(
        _ key: RuleKey,
        ofNamespace rule: String,
        reply: @escaping @Sendable (Result<HubRule, Refusal>) -> Void
    ) {
        reply(.failure(.storeUnavailable(retryAfterSeconds: 1)))
    }

    func metrics(reply: @escaping @Sendable (String) -> Void) { reply(numbers()) }

    func gauges(reply: @escaping @Sendable ([HubName: DirectoryGauges]) -> Void) {
        reply([:])
    }

    func audit(before: UInt64?, limit: Int) async -> ListPage<AuditEntry, UInt64>? { nil }

    func events(
        of hub: HubName,
        after number: UInt64?,
        matching filter: EventFilter,
        wait: Duration
    ) async -> EventRing.Page {
        EventRing().page(after: number ?? 0)
    }

    func testDevices(
        of id: NotificationID,
        in hub: HubName
    ) -> [DeliveryJournal.Device]? {
        nil
    }

    func history(
        of hub: HubName?,
        _ step: HistoryRing.Step,
        series: [String]?,
        since: Timestamp?
    ) -> HistoryRing.Page {
        HistoryRing(names: []).page(step, of: [], since: since)
    }

    func tryOut(
        _ trial: RelayTrial,
        on platform: Platform,
        of hub: HubName
    ) async -> RelayTrialAnswer {
        .noRelay
    }

    func skip(
        through place: UInt64,
        on platform: Platform,
        of hub: HubName
    ) async throws(Refusal) -> RelaySkip? {
        nil
    }

    var description: ServerDescription { described() }

    func linkSigner(of hub: HubName) -> LinkSigner? { nil }

    var now: Timestamp { Clock.now.time }

    var problems: [HubProblem] { [] }
}
