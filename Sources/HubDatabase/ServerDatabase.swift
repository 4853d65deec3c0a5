package import HubCluster
package import HubData
package import HubModel
import HubPostgres
package import HubRelay
import HubStore
package import HubVocabulary
package import Logging
import Metrics
import Synchronization

/// The database that holds a server's hubs; its data folder holds their keys and their copies.
///
/// One node of a database leads all its hubs, and the others wait. Source: Decisions/OneNodeLeads.
package final class ServerDatabase: Sendable {
    private let database: PostgresDatabase
    private let options: DatabaseOptions
    private let folder: DataFolder
    private let logger: Logger
    private let keeper: LeadKeeper
    private let look: ClusterLook
    private let copies: CopyKeeper
    private let leadYield: LeadYield
    /// Ends the filling of copies and the opening of hubs.
    let ending = StoreEnding()
    private let lost = Mutex<ServerError?>(nil)
    /// The files that the database has, sealed; nil when they may differ.
    private let kept = Mutex<KeyFiles?>(nil)

    private init(
        _ database: PostgresDatabase,
        _ options: DatabaseOptions,
        _ folder: DataFolder,
        _ limits: StoreLimits,
        place: NodePlace,
        shape: NodeShape,
        _ logger: Logger
    ) {
        self.database = database
        self.options = options
        self.folder = folder
        self.logger = logger
        keeper = LeadKeeper(
            database,
            place: place,
            shape: shape,
            limits: options.lease,
            logger: logger
        )
        look = ClusterLook(database, shown: options.shown, keeper)
        copies = CopyKeeper(database, folder, limits: limits, ending: ending, logger: logger)
        leadYield = LeadYield(database, logger: logger)
    }

    deinit { release() }

    /// Opens the database that holds a folder's hubs; nil when its own files hold them.
    ///
    /// A folder belongs to one database. Folders of one database have the same `cluster.key`, and
    /// get the hubs' keys from there; `place` is where other nodes reach this one, and `shape` what they
    /// must have alike.
    /// - Throws: `.folder` and `.database` with what to do.
    package static func open(
        _ storage: StorageOptions,
        for folder: DataFolder,
        place: NodePlace,
        shape: NodeShape,
        logger: Logger
    ) throws(ServerError) -> ServerDatabase? {
        let known = try ClusterFile.read(in: folder.path)
        guard let options = storage.database else {
            guard let known else { return nil }
            let reason =
                "its hubs are in a database, and the files here are a copy: start with --database "
                + known.database
            throw .folder(path: folder.path, reason: reason)
        }
        if known == nil, let hub = try HubFolders.firstStored(in: folder) {
            let reason =
                "holds hub '\(hub)' in files: move its hubs into the database with 'belfry migrate "
                + "--data \(folder.path) --database \(options.address)'"
            throw .folder(path: folder.path, reason: reason)
        }
        let database = try options.open()
        try join(folder, known, database)
        return ServerDatabase(
            database,
            options,
            folder,
            storage.limits,
            place: place,
            shape: shape,
            logger
        )
    }

    private static func join(
        _ folder: DataFolder,
        _ known: ClusterFile?,
        _ database: PostgresDatabase
    ) throws(ServerError) {
        if let known {
            guard known.id == database.id else {
                let reason =
                    "its hubs are in another database than \(database.address): that one was at "
                    + known.database
                throw .folder(path: folder.path, reason: reason)
            }
        }
        if let files = try keyFiles(of: database, for: folder) {
            try files.write(to: folder)
        } else if known == nil {
            let hubs = try ServerError.ofDatabase { () throws(PostgresError) in
                try database.hubs()
            }
            guard hubs.isEmpty else {
                let reason =
                    "\(database.address) holds hubs whose keys are in another data folder: start "
                    + "with that one"
                throw .database(reason: reason)
            }
        }
        guard known == nil else { return }
        try ClusterFile(id: database.id, database: "\(database.address)").write(to: folder)
    }

    /// The files that the database's leader has kept there; nil before one has.
    private static func keyFiles(
        of database: PostgresDatabase,
        for folder: DataFolder
    ) throws(ServerError) -> KeyFiles? {
        let sealed = try ServerError.ofDatabase { () throws(PostgresError) in
            try database.sealedKeys()
        }
        guard let sealed else { return nil }
        let path = folder.file(ClusterKey.name)
        guard let key = try ClusterKey(of: folder) else {
            let reason =
                "\(database.address) holds hubs whose keys are in another data folder: copy "
                + "\(ClusterKey.name) of that one to \(path)"
            throw .database(reason: reason)
        }
        guard let files = key.open(sealed, of: database.id).flatMap(KeyFiles.init) else {
            let reason =
                "is not the key that sealed the hubs of \(database.address): copy that of the node "
                + "that leads them"
            throw .brokenFile(path: path, reason: reason)
        }
        return files
    }

    // MARK: Hubs

    /// Opens a hub under this node's lead; on the hub's writer thread.
    func lead(
        _ hub: StoredHub,
        tell: @escaping @Sendable (String) -> Void
    ) throws(StoreError) -> PostgresGroupLog {
        guard let term = keeper.term else { throw .fenced }
        return try PostgresGroupLog(
            leading: hub.secret.databaseName(of: hub.name),
            in: database,
            term: term,
            limits: options.logLimits
        ) { [logger, name = hub.name] news in
            Self.report(news, of: name, to: logger)
            tell("\(news)")
        }
    }

    /// Logs and counts what opening a hub's copy has found; `tell` hears it as well.
    func report(_ events: [StoreEvent], of hub: HubName, tell: (String) -> Void) {
        for case .copyFilled(let fault) in events {
            CopyNews.report(fault, of: hub, to: logger, tell: tell)
        }
    }

    /// The part of a hub that a node had when it began to lead it.
    enum Start: String {
        /// Registrations in memory, and a copy that had followed.
        case warm
        /// A copy that had followed.
        case followed
        /// No more than files of an earlier run.
        case read
    }

    /// Keeps copies of all hubs level with the database until the node leads them; `observing` makes
    /// what hears of one.
    package func followHubs(_ observing: @escaping @Sendable () -> any CopyObserver) {
        copies.start(run: keeper.run, observing)
    }

    /// The copy of a hub that has followed; nil where there is none.
    func takeCopy(of hub: StoredHub) -> sending StandbyCopy? { copies.take(hub) }

    /// A hub is led here: watches its copy, and tells what the node had of it.
    func opened(_ hub: HubName, _ writes: CopyWrites, _ start: Start) {
        leadYield.watch(writes, of: hub)
        Counter(
            label: "belfry_hubs_opened_total",
            dimensions: [("hub", hub.description), ("start", start.rawValue)]
        ).increment()
        logger.notice(
            "the hub is led here",
            metadata: ["hub": "\(hub)", "start": "\(start.rawValue)"]
        )
    }

    private static func report(_ news: DatabaseNews, of hub: HubName, to logger: Logger) {
        let (label, level): (String, Logger.Level) =
            switch news {
            case .lost: ("lost", .error)
            case .regained: ("regained", .notice)
            case .inDoubt: ("in_doubt", .warning)
            }
        CopyNews.count(label, of: hub)
        logger.log(level: level, "\(news)", metadata: ["hub": "\(hub)"])
    }

    /// Callers of a hub, who are answered in time.
    package func heldCalls() -> HeldCalls { HeldCalls(limitMilliseconds: options.callMilliseconds) }

    /// Removes what the database has of hubs that were deleted; what it has still goes at the next
    /// start.
    package func remove(_ hubs: [HandleJudge.Hub]) {
        let names = Set(hubs.map { $0.secret.databaseName(of: $0.name) })
        guard !names.isEmpty else { return }
        do throws(PostgresError) {
            for found in try database.hubs() where names.contains(found.name) {
                try database.remove(found.name)
            }
        } catch {
            logger.warning(
                "rows of a deleted hub are left in the database until the next start",
                metadata: ["reason": "\(error)"]
            )
        }
    }

    // MARK: The lead

    /// Who leads; nil while that is not known.
    package var leader: LeadRow? { keeper.row }

    /// Whether no other node can lead the hubs now; what is stored asks the database instead.
    package var leads: Bool { keeper.leads }

    /// The nodes as operators ask for them, at most a second old.
    package func report() async -> ClusterReport { await look.report() }

    /// Takes the lead if it is free; the end of this node's own last run is waited for.
    /// - Throws: `.database` when the node that leads has another release, or other limits.
    package func takeFreeLead(within limit: Duration) throws(ServerError) -> Bool {
        keeper.start()
        _ = keeper.wait(within: limit) { $0.term != nil || $0.isLedElsewhere }
        guard try takeLead(within: .zero) else {
            try requireAlike()
            return false
        }
        return true
    }

    private func requireAlike() throws(ServerError) {
        let own = keeper.node
        let (lead, nodes) = try ServerError.ofDatabase { () throws(PostgresError) in
            try database.nodes()
        }
        let leader = nodes.first { lead.isHeld && $0.node.run == lead.holder }?.node
        guard let leader, leader.run != own.run,
            let difference = own.shape.difference(from: leader.shape)
        else { return }
        throw .database(reason: "\(leader.name) at \(leader.address) leads \(difference)")
    }

    /// Waits for the lead, which another node may have, and for what that has left.
    ///
    /// - Returns: false when it could not be had in time; the node goes on waiting.
    package func takeLead(within limit: Duration) throws(ServerError) -> Bool {
        keeper.start()
        guard keeper.wait(within: limit, until: { $0.term != nil }) else { return false }
        copies.stop()
        // Hubs may have come and gone meanwhile.
        _ = try takeKeys()
        return true
    }

    /// Makes the folder's keys those of the database; false when no leader has kept any yet.
    package func takeKeys() throws(ServerError) -> Bool {
        guard let files = try Self.keyFiles(of: database, for: folder) else { return false }
        try copies.folders.withLock { _ throws(ServerError) in try files.write(to: folder) }
        kept.withLock { $0 = files }
        return true
    }

    /// Has `body` told when another node has taken the lead; with the sentence for the operator.
    ///
    /// The hubs are open by then: copies of others are closed.
    package func whenLost(_ body: @escaping @Sendable () -> Void) {
        copies.end()
        keeper.whenLost { [weak self] row in
            self?.lost.withLock { lost in
                lost = lost ?? .leadTaken(node: row.node, address: row.address)
            }
            body()
        }
        keeper.whenAsked { [weak self] in
            let hub = self?.leadYield.hub
            let end: ServerError =
                if let hub { .leadYielded(hub: hub.description) } else { .leadMoved }
            self?.lost.withLock { lost in lost = lost ?? end }
            body()
        }
    }

    /// Has other nodes see where they reach this one.
    package func listens(at place: NodePlace) { keeper.listens(at: place) }

    /// The number of this run of the node; no other has the same.
    package var run: UInt64 { keeper.run }

    /// Has each answer about the lead told, from now on; its thread must not be held up.
    package func whenHeard(_ body: @escaping @Sendable (LeadRow) -> Void) {
        keeper.whenHeard(body)
    }

    /// Has an operator hear that the node that leads is not reached, or is again; it is tried anew.
    package func tellWay(to node: String, at address: String, isReached: Bool) {
        keeper.tellWay(to: node, at: address, isReached: isReached)
    }

    /// Milliseconds that a lead lasts without its node.
    package var leaseMilliseconds: UInt64 { options.lease.lease }

    /// The bytes that the folder's `cluster.key` gives nodes for a purpose; nil when there is none yet.
    package func nodeKey(for purpose: String) throws(ServerError) -> [UInt8]? {
        try ClusterKey(of: folder)?.derived(purpose, of: database.id)
    }

    /// The machine's name.
    package static var machine: String { LeadKeeper.machine }

    /// Has other nodes see which limits hold from now on.
    package func holds(_ limits: [String: String]) { keeper.holds(limits) }

    /// Lets another node have the lead at once; nothing of the hubs may be open any more.
    package func release() {
        ending.end()
        // The lead first: another node waits for it.
        keeper.end()
        copies.end()
    }

    /// Seals the folder's keys and keeps them in the database, where other nodes find them.
    ///
    /// Keys that are there already are not written again.
    /// - Throws: `.database` when it is away, and when another node leads.
    package func keepKeys() throws(ServerError) {
        // One after another: what was read earlier must not come later.
        try kept.withLock { kept throws(ServerError) in try keep(&kept) }
    }

    private func keep(_ kept: inout KeyFiles?) throws(ServerError) {
        let files = try KeyFiles(in: folder)
        guard kept != files else { return }
        kept = nil
        let sealed = try ClusterKey(madeFor: folder).seal(try files.bytes(), of: database.id)
        let term = keeper.term
        let isKept = try ServerError.ofDatabase { () throws(PostgresError) in
            guard let term else { return false }
            return try database.keepKeys(sealed, term: term)
        }
        guard isKept else { throw .database(reason: "another node leads its hubs now") }
        kept = files
    }

    /// Tries again what failed; the operator has read why.
    package func keepKeysAgain() {
        guard kept.withLock({ $0 }) == nil else { return }
        // A failure leaves them to the next time.
        try? keepKeys()
    }

    /// Whether a copy here has lacked a group of the database for so long that another node is to
    /// lead.
    package var mustYield: Bool { keeper.leads && leadYield.isDue }

    /// Gives the lead to a node that is level, if there is one; waits for the database.
    package func yieldLead() { leadYield.look() }

    // MARK: The end

    /// Why the server has to end; nil when it need not.
    package var failure: ServerError? { lost.withLock { $0 } }

    /// Notes that the lead of a hub is lost; whether that is news.
    package func loseLead(of hub: HubName) -> Bool {
        lost.withLock { lost in
            guard lost == nil else { return false }
            lost = .leadLost(hub: hub.description)
            return true
        }
    }

    /// Lets no thread wait any longer for a database that is away, fill a copy or open a hub.
    package func endWaiting() {
        database.endWaiting()
        ending.end()
    }

    /// Whether the server was told to end.
    package var isEnding: Bool { ending.hasCome }
}
