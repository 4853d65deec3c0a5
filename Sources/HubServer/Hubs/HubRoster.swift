import Foundation
import HubData
import HubDatabase
import HubDelivery
import HubDirectory
import HubMetrics
import HubModel
import HubREST
import HubRelay
import HubRules
import HubTraces
import HubTransport
import HubVocabulary
import Logging
import Synchronization

/// The hubs of a running server: which there are, who may do what, and how they come and go.
///
/// Any thread asks. Changes happen one after another on a queue of their own, because they wait for
/// the disk, for threads and for every shard.
///
/// In the order of a creation: keys durable, stores open, shards told, REST told, answered. Of a
/// deletion: out of REST's sight, folder renamed, shards told (devices hear UNKNOWN_HUB), writer
/// ended, files removed, answered. Source: REST §14.
final class HubRoster: Sendable {
    /// A hub that is served.
    struct Member: Sendable {
        var stored: StoredHub
        let hub: ShardHub
    }

    /// Rules, and the tokens that were checked by them; replaced together, so that a request that
    /// is under way keeps nothing that the new rules would refuse.
    struct Access: Sendable {
        let policies: AccessPolicies
        let tokens = TokenCache(capacity: RESTLimits.tokensKept)
    }

    struct State {
        var members: [HubName: Member]
        /// The rules that hold for every hub.
        var namespace: [HubRule]
        var access: Access
        /// Hubs that were deleted, whose handles no service may see.
        var retired: [HandleJudge.Hub]
        var isClosed = false
        /// Changes that wait or are under way.
        var changes = 0
        /// How much each hub takes of registrations and tags.
        var quota: HubQuota
        /// Every setting that is in force.
        var settings: [ServerSetting]
        var ending = EndingCertificate()
    }

    /// Changes that may wait; more are refused.
    static let changesMax = 32
    /// Seconds that a change waits for shards that do not answer, before it goes on without them.
    static let shardSeconds = 10

    let folders: HubFolders
    let launcher: HubLauncher
    let mailboxes: ShardMailboxes
    let limitsInForce: LimitsInForce
    let logger: Logger
    let state: Mutex<State>
    let metricPage: MetricPage
    let files: ServerFiles
    let addresses: AddressConnections
    let audit: AuditLog
    private let uses: KeyUseBook
    let history = NumberHistory()
    let started = Clock.now.time
    private let changes = DispatchQueue(label: "hubs")
    /// Told after each change, on the queue of changes.
    private let onChange = Mutex<@Sendable () -> Void>({})

    /// Opens every hub; blocks.
    ///
    /// - Throws: what the first one that cannot be opened throws; all are closed then.
    init(
        _ keys: HubKeys,
        policies: AccessPolicies,
        options: ServerOptions,
        files: ServerFiles,
        places: JobPlaces,
        mailboxes: ShardMailboxes,
        database: ServerDatabase?,
        logger: Logger
    ) throws(ServerError) {
        folders = keys.folders
        let traces = options.rest.traces.url.map { _ in Tracer(ratio: options.rest.traces.ratio) }
        launcher = HubLauncher(
            folders: keys.folders,
            options: options,
            places: places,
            mailboxes: mailboxes,
            relays: RelayThread(traces: traces) { name, news in
                RelayEvents.report(news, of: name, to: logger)
            },
            traces: traces,
            database: database,
            logger: logger
        )
        self.mailboxes = mailboxes
        limitsInForce = LimitsInForce(options.coreLimits)
        self.logger = logger
        self.files = files
        audit = try AuditLog(data: files.folder)
        uses = KeyUseBook(data: files.folder, keys)
        addresses = AddressConnections(limits: options.rest.limits)
        metricPage = MetricPage(registry: options.metrics, files: files)
        ServerEvents.begin()
        let retired = try keys.folders.retired.read()
        var members: [HubName: Member] = [:]
        do throws(ServerError) {
            for stored in keys.hubs {
                members[stored.name] = Member(stored: stored, hub: try launcher.open(stored))
            }
        } catch {
            for member in members.values { member.hub.close() }
            throw error
        }
        state = Mutex(
            State(
                members: members,
                namespace: keys.namespace,
                access: Access(policies: policies),
                retired: retired,
                quota: options.coreLimits.quota,
                settings: options.settings
            )
        )
        for member in members.values { openLanes(of: member) }
        if let database { changes.async { database.remove(retired) } }
    }

    /// Has something told after each change.
    func watch(_ body: @escaping @Sendable () -> Void) { onChange.withLock { $0 = body } }

    /// Has the last uses of keys written; blocks.
    func keepUses() {
        do throws(ServerError) {
            try uses.write(
                namespace: namespaceRules.map(\.rule),
                members.map { ($0.stored.name, $0.stored.rules) }
            )
        } catch {
            logger.error("the uses of keys are not kept", metadata: ["reason": "\(error)"])
        }
    }

    /// Closes every hub behind the last change; blocks.
    func close() {
        changes.sync {
            keepUses()
            let open = state.withLock { state in
                state.isClosed = true
                defer { state.members = [:] }
                return state.members.values.map(\.hub)
            }
            for hub in open { hub.close() }
            launcher.relays.stop()
        }
    }

    // MARK: Questions

    /// Every hub, ascending by name.
    var members: [Member] {
        state.withLock { $0.members.values.sorted { $0.stored.name < $1.stored.name } }
    }

    /// The rules that hold for every hub.
    var namespaceRules: [HubRule] { state.withLock { $0.namespace } }

    /// The rules that shards begin with.
    var policies: AccessPolicies { access.policies }

    /// The rules and checked tokens of now.
    var access: Access { state.withLock { $0.access } }

    /// The limits of now.
    var limits: CoreLimits { limitsInForce.present }

    /// A hub by its name; nil when there is none.
    func member(_ name: HubName) -> Member? { state.withLock { $0.members[name] } }

    /// Returns the gauges of each hub's directory; a hub whose writer has ended has none, nor one
    /// that does not answer within a limit.
    func gauges(
        within limit: Duration? = nil
    ) async -> [(hub: HubName, gauges: DirectoryGauges)] {
        let hubs = members.map(\.hub)
        return await withTaskGroup(of: (Int, DirectoryGauges?).self) { group in
            for (place, hub) in hubs.enumerated() {
                group.addTask {
                    guard let limit else { return (place, await hub.writer.gauges()) }
                    let found = await TimeLimit.value(within: limit) { await hub.writer.gauges() }
                    return (place, found ?? nil)
                }
            }
            var found: [DirectoryGauges?] = Array(repeating: nil, count: hubs.count)
            for await (place, gauges) in group { found[place] = gauges }
            return zip(hubs, found).compactMap { hub, gauges in
                gauges.map { (hub.configuration.name, $0) }
            }
        }
    }

    /// Has a change of hubs or keys carried out behind those that wait; false when too many do.
    func begin<Changed: Sendable>(
        _ change: @escaping @Sendable () -> Result<Changed, Refusal>,
        reply: @escaping @Sendable (Result<Changed, Refusal>) -> Void
    ) -> Bool {
        let isTaken = state.withLock { state in
            guard state.changes < Self.changesMax else { return false }
            state.changes += 1
            return true
        }
        guard isTaken else { return false }
        changes.async { [self] in
            let made = change()
            // It is in force here, whatever becomes of the copy for other nodes.
            if case .success = made { onChange.withLock { $0 }() }
            let result = kept(made)
            state.withLock { $0.changes -= 1 }
            reply(result)
        }
        return true
    }
}
