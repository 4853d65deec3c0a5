import HubDirectory
@testable import HubHarness
import HubHistory
import HubMemory
import HubModel
import HubREST
import HubRules
import HubVocabulary
import Synchronization

/// A real directory of one hub named `news` over a log in memory, and the fakes of a server.
///
/// What a test sets as a reply is answered in place of the directory's own answer.
final class ConsoleHub: HubService {
    private struct State: ~Copyable {
        var hub: PromptHub<PromptStore>
        var replies: [ObjectIdentifier: any Sendable] = [:]
        var refusal: Refusal?
        var now = ConsoleHub.start
        var problems: [HubProblem] = []
        var cluster: ClusterReport?
        var relays: [RelayReport] = []
        var hubs: [HubName: HubDescription] = [:]
        var namespace: [HubRule] = []
        var entries: [AuditEntry]? = []
        var keys = 0
        var events = EventRing()
        var tests = DeliveryJournal()
        var history = HistoryRing(
            names: ["connected", "logHead", "logBytes", "registrations"]
        )
    }

    /// 2026-05-04T09:12:03.123Z.
    static let start = Timestamp(milliseconds: 1_777_885_923_123)
    static let news = ConsoleHub.named("news")
    static let other = ConsoleHub.named("other")

    private let state: Mutex<State>

    init() {
        let storage = MemoryStore(newEpoch: 1)
        do {
            let directory = try Hub(
                hub: Self.news,
                secret: Self.secret,
                storage: storage,
                limits: .standard,
                protected: ProtectedTags(listenMaySet: false),
                seed: 1,
                now: Self.now(Self.start)
            )
            let hub = PromptHub(
                directory,
                store: PromptStore(storage: storage),
                now: Self.now(Self.start)
            )
            state = Mutex(State(hub: hub))
        } catch {
            preconditionFailure("An empty store opens: \(error)")
        }
        for name in [Self.news, Self.other] { make(name) }
        // The default is never refused.
        let root = try? AccessRule.namespaceDefaults { "key-root" }
        state.withLock { state in
            state.namespace = (root ?? []).map {
                HubRule($0, created: Self.start, modified: Self.start)
            }
        }
    }

    private static func now(_ time: Timestamp) -> Now {
        Now(instant: Instant(nanoseconds: 0), time: time)
    }

    private static let secret: HubSecret = {
        guard let secret = HubSecret([UInt8](repeating: 7, count: 32)) else {
            preconditionFailure("32 bytes are a secret.")
        }
        return secret
    }()

    private static func named(_ text: String) -> HubName {
        guard let name = HubName(text) else { preconditionFailure("\(text) is a name.") }
        return name
    }

    @discardableResult
    private func make(_ name: HubName) -> HubDescription? {
        state.withLock { state in
            // The defaults are never refused.
            let hub = try? HubDescription(creating: name, as: HubDefinition(), now: state.now) {
                state.keys += 1
                return "key-\(state.keys)"
            }
            state.hubs[name] = hub
            return hub
        }
    }

    // MARK: What tests set

    func pass(seconds: UInt64) { state.withLock { $0.now = $0.now.adding(seconds: seconds) } }

    func answer<Request: HubRequest>(_ request: Request.Type, _ reply: Request.Reply) {
        state.withLock { $0.replies[ObjectIdentifier(request)] = reply }
    }

    func refuse(_ refusal: Refusal?) { state.withLock { $0.refusal = refusal } }

    func fail(_ hub: HubName, _ detail: String) {
        let problem = HubProblem(hub: hub, cause: "broken", detail: detail)
        state.withLock { $0.problems = [problem] }
    }

    /// The handle of a device, before its key was ever revoked.
    func handle(of device: DeviceID) -> [UInt8] {
        PushHandle(device: device, hub: Self.news, secret: Self.secret, generation: 0).text
    }

    /// A relay to Apple that stands still, since its credential is refused.
    func rest(because cause: String) {
        relay(cause: cause) { $0.credential = .refused(cause) }
    }

    /// A relay to Apple with one notification before it, and two that wait by themselves.
    func relay(cause: String? = nil, _ change: (inout RelayCondition) -> Void) {
        var report = RelayReport(
            platform: .apple,
            since: 1,
            place: 1,
            behind: 1,
            open: 0,
            deferred: 2,
            cause: cause
        )
        change(&report.condition)
        state.withLock { $0.relays = [report] }
    }

    func clustered(_ report: ClusterReport) { state.withLock { $0.cluster = report } }

    func audited(_ entries: [AuditEntry]?) { state.withLock { $0.entries = entries } }

    func happened(_ kind: HubEvent.Kind) {
        state.withLock { $0.events.append(kind, at: $0.now) }
    }

    /// Has a test's steps told, the first call with its record.
    func tested(_ body: @Sendable (inout DeliveryJournal) -> Void) {
        state.withLock { body(&$0.tests) }
    }

    /// Reads the first numbers of the past; the others are holes.
    func read(_ numbers: [Double]) {
        state.withLock { state in
            let holes = state.history.names.count - numbers.count
            state.history.add(numbers + Array(repeating: .nan, count: holes), at: state.now)
        }
    }

    // MARK: The server

    var now: Timestamp { state.withLock { $0.now } }

    var problems: [HubProblem] { state.withLock { $0.problems } }

    var description: ServerDescription {
        ServerDescription(
            version: "1.2.3",
            started: Self.start,
            certificateEnd: Self.start.adding(seconds: 10 * 86_400),
            settings: [ServerSetting(name: "names", origin: .file, value: "a.example")]
        )
    }

    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        throw .tokenMissing
    }

    func authorizeNamespace(_ request: NamespaceAccessRequest) throws(Refusal) -> AccessGrant {
        throw .tokenMissing
    }

    func hub(_ name: HubName) throws(Refusal) -> HubDescription {
        guard let found = state.withLock({ $0.hubs[name] }) else {
            throw .hubNotFound(name: name.description)
        }
        return found
    }

    func hubs(skip: Int, limit: Int) -> ListPage<HubDescription, Int> {
        let all = state.withLock { $0.hubs.values.sorted { $0.name < $1.name } }
        return ListPage(Array(all.dropFirst(skip).prefix(limit)), next: nil)
    }

    var namespaceRules: [HubRule] { state.withLock { $0.namespace } }

    func renew(
        _ key: RuleKey,
        ofNamespace rule: String,
        reply: @escaping @Sendable (Result<HubRule, Refusal>) -> Void
    ) {
        reply(
            Result { () throws(Refusal) in
                let rules = namespaceRules
                guard let place = rules.firstIndex(where: { $0.rule.name == rule }) else {
                    throw .invalid(field: "rule", reason: "is no access rule of the namespace.")
                }
                let changed = try rules[place].renewing(key, now: now.adding(seconds: 1)) {
                    "key-anew"
                }
                state.withLock { $0.namespace[place] = changed }
                return changed
            }
        )
    }

    func metrics(reply: @escaping @Sendable (String) -> Void) { reply("") }

    func gauges(reply: @escaping @Sendable ([HubName: DirectoryGauges]) -> Void) {
        var gauges = DirectoryGauges()
        (gauges.registrations, gauges.sessions, gauges.logHead) = (12_304, 2, 17)
        gauges.relays = state.withLock { $0.relays }
        reply([Self.news: gauges])
    }

    func cluster() async -> ClusterReport? { state.withLock { $0.cluster } }

    func audit(
        before: UInt64?,
        limit: Int,
        within span: TimeSpan
    ) async -> ListPage<AuditEntry, UInt64>? {
        state.withLock { $0.entries }.map { entries in
            ListPage(Array(entries.filter { $0.isWithin(span) }.prefix(limit)), next: nil)
        }
    }

    func events(
        of hub: HubName,
        after number: UInt64?,
        matching filter: EventFilter,
        wait: Duration
    ) async -> EventRing.Page {
        state.withLock { $0.events.page(after: number ?? $0.events.last, matching: filter) }
    }

    func testDevices(
        of id: NotificationID,
        in hub: HubName
    ) -> [DeliveryJournal.Device]? {
        state.withLock { $0.tests.devices(of: id) }
    }

    func history(
        of hub: HubName?,
        _ step: HistoryRing.Step,
        series: [String]?,
        since: Timestamp?
    ) -> HistoryRing.Page {
        state.withLock { $0.history.page(step, of: series ?? $0.history.names, since: since) }
    }

    func tryOut(
        _ trial: RelayTrial,
        on platform: Platform,
        of hub: HubName
    ) async -> RelayTrialAnswer {
        .noRelay
    }

    func skip(through place: UInt64, on platform: Platform, of hub: HubName) async -> RelaySkip? {
        nil
    }

    func linkSigner(of hub: HubName) -> LinkSigner? { nil }

    func submit(
        _ change: NamespaceChange,
        reply: @escaping @Sendable (Result<HubDescription, Refusal>) -> Void
    ) {
        reply(Result { () throws(Refusal) in try run(change) })
    }

    private func run(_ change: NamespaceChange) throws(Refusal) -> HubDescription {
        switch change {
        case .createHub(let name, _):
            guard let made = make(name) else { throw .hubExists(name: name.description) }
            return made
        case .updateHub(let name, let definition):
            let changed = try hub(name).updated(by: definition, now: now) { "key-more" }
            state.withLock { $0.hubs[name] = changed }
            return changed
        case .renewKey(let name, let rule, let key):
            let later = now.adding(seconds: 1)
            let changed = try hub(name).renewing(key, ofRule: rule, now: later) { "key-anew" }
            state.withLock { $0.hubs[name] = changed }
            return changed
        case .deleteHub(let name):
            let gone = try hub(name)
            state.withLock { $0.hubs[name] = nil }
            return gone
        }
    }

    func submit<Request: HubRequest>(
        _ request: Request,
        to hub: HubName,
        reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    ) {
        guard (try? self.hub(hub)) != nil else {
            return reply(.failure(.hubNotFound(name: hub.description)))
        }
        let call = request.call(reply)
        let answers: [HubAnswer] = state.withLock { state in
            if let refusal = state.refusal {
                reply(.failure(refusal))
                return []
            }
            if let canned = state.replies[ObjectIdentifier(Request.self)] as? Request.Reply {
                reply(.success(canned))
                return []
            }
            return state.hub.answers(to: call, now: Self.now(state.now))
        }
        for answer in answers { answer.give() }
    }
}
