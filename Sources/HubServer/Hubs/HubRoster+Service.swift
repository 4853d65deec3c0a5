import HubData
import HubDatabase
import HubDirectory
import HubHistory
import HubMetrics
import HubModel
import HubQuestions
import HubREST
import HubRules
import HubTransport
import HubVocabulary
import Logging
import Synchronization

/// The server as REST sees it.
extension HubRoster: HubService {
    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        let access = access
        return try access.tokens.authorize(request, by: access.policies, now: Clock.now.time)
    }

    func authorizeNamespace(
        _ request: NamespaceAccessRequest
    ) throws(Refusal) -> AccessGrant {
        try policies.authorizeNamespace(request, now: Clock.now.time)
    }

    func submit<Request: HubRequest>(
        _ request: Request,
        to hub: HubName,
        reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    ) {
        guard let found = member(hub) else {
            reply(.failure(.hubNotFound(name: hub.description)))
            return
        }
        // What it knows may be old; what it stores is refused by the database.
        if hasLapsed, request is any HubQuestion {
            reply(.failure(.storeUnavailable(retryAfterSeconds: 1)))
            return
        }
        found.hub.writer.submit(request, patient: false) { [self] result in
            reply(hasLapsed ? result.mapError(\.behindLease) : result)
        }
    }

    /// Who signs the links into a hub's feedback.
    func linkSigner(of hub: HubName) -> LinkSigner? {
        member(hub).map { LinkSigner(secret: $0.stored.secret, hub: hub) }
    }

    func hub(_ name: HubName) throws(Refusal) -> HubDescription {
        guard let found = member(name) else { throw .hubNotFound(name: name.description) }
        return found.stored.shown
    }

    func hubs(skip: Int, limit: Int) -> ListPage<HubDescription, Int> {
        let rest = members.dropFirst(skip)
        let page = rest.prefix(limit).map(\.stored.shown)
        return ListPage(page, next: rest.count > limit ? skip + limit : nil)
    }

    /// A change waits for its turn.
    func submit(
        _ change: NamespaceChange,
        reply: @escaping @Sendable (Result<HubDescription, Refusal>) -> Void
    ) {
        let isTaken = begin({ [self] in carryOut(change) }, reply: reply)
        if !isTaken { reply(.failure(.throttled(retryAfterSeconds: 1))) }
    }

    func renew(
        _ key: RuleKey,
        ofNamespace rule: String,
        reply: @escaping @Sendable (Result<HubRule, Refusal>) -> Void
    ) {
        let isTaken = begin({ [self] in renew(key, of: rule) }, reply: reply)
        if !isTaken { reply(.failure(.throttled(retryAfterSeconds: 1))) }
    }

    /// A hub whose disk stands still answers late: then the numbers of the rest are told.
    func metrics(reply: @escaping @Sendable (String) -> Void) {
        Task {
            let reports = await mailboxes.reports()
            let held = await heldGauges()
            reply(
                metricPage.text(
                    reports,
                    problems: problems.count,
                    gauges: held,
                    stored: storedAfter
                )
            )
        }
    }

    func gauges(reply: @escaping @Sendable ([HubName: DirectoryGauges]) -> Void) {
        Task {
            let held = await heldGauges()
            reply(Dictionary(held.map { ($0.hub, $0.gauges) }) { first, _ in first })
        }
    }

    /// How long sends to all hubs took until they were stored.
    private var storedAfter: LatencyHistogram {
        members.reduce(into: LatencyHistogram()) { $0.add($1.hub.writer.storedAfter) }
    }

    private func heldGauges() async -> [(hub: HubName, gauges: DirectoryGauges)] {
        await gauges(within: .seconds(2))
    }

    func cluster() async -> ClusterReport? { await launcher.database?.report() }

    func audit(
        before: UInt64?,
        limit: Int,
        within span: TimeSpan
    ) async -> ListPage<AuditEntry, UInt64>? {
        do {
            return try await audit.page(before: before, limit: limit, within: span)
        } catch {
            logger.error("the audit cannot be read", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    func events(
        of hub: HubName,
        after number: UInt64?,
        matching filter: EventFilter,
        wait: Duration
    ) async -> EventRing.Page {
        guard let events = member(hub)?.hub.events else {
            return EventRing().page(after: number ?? 0)
        }
        return await events.page(after: number, matching: filter, wait: wait)
    }

    func testDevices(
        of id: NotificationID,
        in hub: HubName
    ) -> [DeliveryJournal.Device]? {
        member(hub)?.hub.tests.devices(of: id)
    }

    func history(
        of hub: HubName?,
        _ step: HistoryRing.Step,
        series: [String]?,
        since: Timestamp?
    ) -> HistoryRing.Page {
        history.page(of: hub, step, series: series, since: since)
    }

    /// Adds the numbers of now to the past.
    func readNumbers() async {
        let reading = NumberHistory.Reading(
            reports: await mailboxes.reports(),
            problems: problems.count,
            stored: storedAfter,
            hubs: await heldGauges()
        )
        history.add(reading, hubs: Set(members.map(\.stored.name)), at: now)
    }

    /// Says in the log and in each hub's events that the certificate ends, some days before.
    func announceCertificate() {
        guard let end = files.knownCertificateEnd else { return }
        let now = now
        guard let days = state.withLock({ $0.ending.due(end: end, now: now) }) else { return }
        let day = TimeText.iso8601(end).prefix(10)
        let text = "the certificate ends in \(days) days, on \(day)"
        logger.warning("\(text)", metadata: ["days": "\(days)"])
        for member in members { member.hub.events.append([.notice(text)], at: now) }
    }

    /// Tells the events of a hub what became of a request, when it was refused or a change.
    func note(_ event: RESTEvent) {
        guard let kind = HubEvent.Kind(event), let hub = event.hub else { return }
        member(hub)?.hub.events.append([kind], at: now)
    }

    func tryOut(
        _ trial: RelayTrial,
        on platform: Platform,
        of hub: HubName
    ) async -> RelayTrialAnswer {
        await launcher.relays.tryOut(trial, on: LaneName(hub: hub, platform: platform))
    }

    func skip(
        through place: UInt64,
        on platform: Platform,
        of hub: HubName
    ) async throws(Refusal) -> RelaySkip? {
        try await launcher.relays.skip(through: place, on: LaneName(hub: hub, platform: platform))
    }

    var description: ServerDescription {
        ServerDescription(
            version: Release.version,
            started: started,
            certificateEnd: files.knownCertificateEnd,
            numbersRead: metricPage.lastRead,
            settings: settings
        )
    }

    var now: Timestamp { Clock.now.time }

    /// Reasons why hubs do not accept sends.
    var problems: [HubProblem] {
        let hasLapsed = hasLapsed
        return members.compactMap { member in
            if let problem = member.hub.writer.problem { return problem }
            guard hasLapsed else { return nil }
            let text = "another node may lead"
            return HubProblem(hub: member.stored.name, cause: text, detail: text)
        }
    }

    /// Whether another node may lead the hubs by now.
    private var hasLapsed: Bool { launcher.database.map { !$0.leads } ?? false }
}
