import Foundation
import HubCore
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
        let tokens = TokenCache()
    }

    struct State {
        var members: [HubName: Member]
        var access: Access
        var isClosed = false
        /// Changes that wait or are under way.
        var changes = 0
    }

    /// Changes that may wait; more are refused.
    static let changesMax = 32
    /// Seconds that a change waits for shards that do not answer, before it goes on without them.
    static let shardSeconds = 10

    let folders: HubFolders
    let launcher: HubLauncher
    let mailboxes: ShardMailboxes
    let limits: CoreLimits
    let logger: Logger
    let state: Mutex<State>
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
        places: JobPlaces,
        mailboxes: ShardMailboxes,
        logger: Logger
    ) throws(ServerError) {
        folders = keys.folders
        launcher = HubLauncher(
            folders: keys.folders,
            options: options,
            places: places,
            mailboxes: mailboxes,
            logger: logger
        )
        self.mailboxes = mailboxes
        limits = options.coreLimits
        self.logger = logger
        var members: [HubName: Member] = [:]
        do throws(ServerError) {
            for stored in keys.hubs {
                members[stored.name] = Member(stored: stored, hub: try launcher.open(stored))
            }
        } catch {
            for member in members.values { member.hub.close() }
            throw error
        }
        state = Mutex(State(members: members, access: Access(policies: policies)))
    }

    /// Has something told after each change.
    func watch(_ body: @escaping @Sendable () -> Void) { onChange.withLock { $0 = body } }

    /// Closes every hub behind the last change; blocks.
    func close() {
        changes.sync {
            let open = state.withLock { state in
                state.isClosed = true
                defer { state.members = [:] }
                return state.members.values.map(\.hub)
            }
            for hub in open { hub.close() }
        }
    }

    // MARK: Questions

    /// What keeps hubs from accepting sends; one readable line each.
    var problems: [String] { members.compactMap(\.hub.writer.problem) }

    /// Every hub, ascending by name.
    var members: [Member] {
        state.withLock { $0.members.values.sorted { $0.stored.name < $1.stored.name } }
    }

    /// What shards begin with.
    var policies: AccessPolicies { state.withLock { $0.access.policies } }

    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        let access = state.withLock { $0.access }
        return try access.tokens.authorize(request, by: access.policies, now: Clock.now.time)
    }

    func authorizeNamespace(
        _ request: NamespaceAccessRequest
    ) throws(Refusal) -> AccessGrant {
        try policies.authorizeNamespace(request, now: Clock.now.time)
    }

    func submit(
        _ command: HubCommand,
        to hub: HubName,
        reply: @escaping @Sendable (Result<HubReply, Refusal>) -> Void
    ) {
        guard let found = state.withLock({ $0.members[hub] }) else {
            reply(.failure(.hubNotFound(name: hub.description)))
            return
        }
        found.hub.writer.submit(command, reply: reply)
    }

    /// Who signs the links into a hub's feedback.
    func linkSigner(of hub: HubName) -> LinkSigner? {
        let found = state.withLock { $0.members[hub] }
        return found.map { LinkSigner(secret: $0.stored.secret, hub: hub) }
    }

    /// Answers a question at once; a change waits for its turn.
    func submit(
        _ command: NamespaceCommand,
        reply: @escaping @Sendable (Result<NamespaceReply, Refusal>) -> Void
    ) {
        switch command {
        case .getHub(let name):
            let found = state.withLock { $0.members[name] }
            reply(
                found.map { .success(.hub($0.stored.description)) }
                    ?? .failure(.hubNotFound(name: name.description))
            )
        case .listHubs(let skip, let limit):
            let rest = members.dropFirst(skip)
            let page = rest.prefix(limit).map(\.stored.description)
            reply(.success(.hubs(page, hasMore: rest.count > limit)))
        case .createHub, .updateHub, .deleteHub:
            let isTaken = state.withLock { state in
                guard state.changes < Self.changesMax else { return false }
                state.changes += 1
                return true
            }
            guard isTaken else {
                reply(.failure(.throttled(retryAfterSeconds: 1)))
                return
            }
            changes.async { [self] in
                let result = carryOut(command)
                state.withLock { $0.changes -= 1 }
                if case .success = result { onChange.withLock { $0 }() }
                reply(result)
            }
        }
    }
}
