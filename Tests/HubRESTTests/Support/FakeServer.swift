import HubHistory
import HubModel
import HubREST
import HubRules
import HubVocabulary

/// What a server answers beside its hubs: numbers, events and relays, the same for every fake.
protocol FakeServer: HubService {}

extension FakeServer {
    func metrics(reply: @escaping @Sendable (String) -> Void) { reply("belfry_connections 1\n") }

    func gauges(reply: @escaping @Sendable ([HubName: DirectoryGauges]) -> Void) {
        reply(FakeNamespace.gauges)
    }

    var namespaceRules: [HubRule] { FakeNamespace.rules }

    func renew(
        _ key: RuleKey,
        ofNamespace rule: String,
        reply: @escaping @Sendable (Result<HubRule, Refusal>) -> Void
    ) {
        reply(
            Result { () throws(Refusal) in
                if rule == "Unanswered" { throw .storeUnanswered(retryAfterSeconds: 5) }
                guard let known = FakeNamespace.rules.first(where: { $0.rule.name == rule }) else {
                    throw .invalid(field: "rule", reason: "is no access rule of the namespace.")
                }
                return try known.renewing(key, now: FakeHub.time) { "key-new" }
            }
        )
    }

    var description: ServerDescription { FakeNamespace.server }

    func testDevices(
        of id: NotificationID,
        in hub: HubName
    ) -> [DeliveryJournal.Device]? {
        FakeNamespace.tests.devices(of: id)
    }

    func events(
        of hub: HubName,
        after number: UInt64?,
        matching filter: EventFilter,
        wait: Duration
    ) async -> EventRing.Page {
        FakeNamespace.events.page(after: number ?? 0, matching: filter)
    }

    func history(
        of hub: HubName?,
        _ step: HistoryRing.Step,
        series: [String]?,
        since: Timestamp?
    ) -> HistoryRing.Page {
        FakeNamespace.history.page(step, of: series ?? ["live", "problems"], since: since)
    }

    func tryOut(
        _ trial: RelayTrial,
        on platform: Platform,
        of hub: HubName
    ) async -> RelayTrialAnswer {
        platform == .apple ? .refused(.badChannel, "BadDeviceToken") : .noRelay
    }

    func skip(
        through place: UInt64,
        on platform: Platform,
        of hub: HubName
    ) async throws(Refusal) -> RelaySkip? {
        if platform == .windows { throw .storeUnavailable(retryAfterSeconds: 5) }
        return platform == .apple ? RelaySkip(ended: 3, unread: place) : nil
    }

    func cluster() async -> ClusterReport? { nil }

    func audit(
        before: UInt64?,
        limit: Int,
        within span: TimeSpan
    ) async -> ListPage<AuditEntry, UInt64>? {
        before == 1 ? nil : ListPage([], next: span.since == FakeHub.time ? nil : 2)
    }
}
