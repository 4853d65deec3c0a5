package import HubDirectory
package import HubHistory
package import HubModel
package import HubRules
package import HubVocabulary

/// A server that has hubs as REST sees it: access and commands, nothing else.
///
/// Implemented by the server's wiring and by fakes in tests. Every method may be called from any
/// thread.
package protocol HubService: NodeService {
    /// Hands a request to a hub; `reply` is called once, on any thread, after everything the reply
    /// says is durable.
    func submit<Request: HubRequest>(
        _ request: Request,
        to hub: HubName,
        reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    )

    /// Reads a hub of the namespace.
    ///
    /// - Throws: `.hubNotFound`.
    func hub(_ name: HubName) throws(Refusal) -> HubDescription

    /// Reads hubs in the order of their names, without the first `skip`, at most `limit`; `next` is
    /// how many to skip for those that follow.
    func hubs(skip: Int, limit: Int) throws(Refusal) -> ListPage<HubDescription, Int>

    /// Hands a change to the namespace; `reply` is called once, on any thread, with the hub as it is
    /// or was, when that is durable and in force.
    func submit(
        _ change: NamespaceChange,
        reply: @escaping @Sendable (Result<HubDescription, Refusal>) -> Void
    )

    /// The access rules that hold for every hub.
    var namespaceRules: [HubRule] { get }

    /// Makes one key of a rule of the namespace anew; `reply` is called once, on any thread, with
    /// the rule, when that is durable and in force.
    func renew(
        _ key: RuleKey,
        ofNamespace rule: String,
        reply: @escaping @Sendable (Result<HubRule, Refusal>) -> Void
    )

    /// Reads the gauges of each hub; `reply` is called once, on any thread. A hub that does not
    /// answer in time has none.
    func gauges(reply: @escaping @Sendable ([HubName: DirectoryGauges]) -> Void)

    /// Reads changes by administrators of a time below a number, the newest first, `limit` at most;
    /// nil when they cannot be read.
    func audit(
        before: UInt64?,
        limit: Int,
        within span: TimeSpan
    ) async -> ListPage<AuditEntry, UInt64>?

    /// Reads the events of a hub behind a number; without one none, and the number of now.
    ///
    /// Where there is none it waits for one.
    func events(
        of hub: HubName,
        after number: UInt64?,
        matching filter: EventFilter,
        wait: Duration
    ) async -> EventRing.Page

    /// Reads how far a test send came at each device to which it was sent; nil for a notification
    /// that is no test, or an old one.
    func testDevices(of id: NotificationID, in hub: HubName) -> [DeliveryJournal.Device]?

    /// Reads numbers of the past: of a hub, or of the server; all series where none is named.
    func history(
        of hub: HubName?,
        _ step: HistoryRing.Step,
        series: [String]?,
        since: Timestamp?
    ) -> HistoryRing.Page

    /// Has a platform's push service asked beside a hub's relay, and waits for its answer.
    func tryOut(
        _ trial: RelayTrial,
        on platform: Platform,
        of hub: HubName
    ) async -> RelayTrialAnswer

    /// Has a hub's relay give up what waits up to a place in the log; nil when there is none.
    ///
    /// - Throws: `.storeUnavailable` while the store does not take the order.
    func skip(
        through place: UInt64,
        on platform: Platform,
        of hub: HubName
    ) async throws(Refusal) -> RelaySkip?

    /// Who signs the links into a hub's feedback; nil when there is no such hub.
    func linkSigner(of hub: HubName) -> LinkSigner?
}
