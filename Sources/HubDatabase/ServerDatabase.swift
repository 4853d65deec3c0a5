package import HubData
import HubModel
import HubPostgres
package import HubRelay
package import HubVocabulary
package import Logging
import Metrics
import Synchronization

/// The database that holds a server's hubs; its data folder holds their keys and their copies.
package final class ServerDatabase: Sendable {
    private let database: PostgresDatabase
    private let options: DatabaseOptions
    private let logger: Logger
    private let lost = Mutex<ServerError?>(nil)

    private init(_ database: PostgresDatabase, _ options: DatabaseOptions, _ logger: Logger) {
        self.database = database
        self.options = options
        self.logger = logger
    }

    /// Opens the database that holds a folder's hubs; nil when its own files hold them.
    ///
    /// A folder belongs to one database and a database to one folder, since the folder has the keys.
    /// - Throws: `.folder` and `.database` with what to do.
    package static func open(
        _ storage: StorageOptions,
        for folder: DataFolder,
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
        return ServerDatabase(database, options, logger)
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
            return
        }
        guard
            try ServerError.ofDatabase({ () throws(PostgresError) in try database.hubs() }).isEmpty
        else {
            let reason =
                "\(database.address) holds hubs whose keys are in another data folder: start with "
                + "that one"
            throw .database(reason: reason)
        }
        try ClusterFile(id: database.id, database: "\(database.address)").write(to: folder)
    }

    // MARK: Hubs

    /// Takes the lead of a hub, whichever leader there was; on the hub's writer thread.
    func lead(
        _ hub: StoredHub,
        tell: @escaping @Sendable (String) -> Void
    ) throws(StoreError) -> PostgresGroupLog {
        try PostgresGroupLog(
            leading: hub.secret.databaseName(of: hub.name),
            in: database,
            limits: options.logLimits
        ) { [logger, name = hub.name] news in
            Self.report(news, of: name, to: logger)
            tell("\(news)")
        }
    }

    private static func report(_ news: DatabaseNews, of hub: HubName, to logger: Logger) {
        let (label, level): (String, Logger.Level) =
            switch news {
            case .lost: ("lost", .error)
            case .regained: ("regained", .notice)
            case .inDoubt: ("in_doubt", .warning)
            }
        Counter(
            label: "belfry_database_events_total",
            dimensions: [("hub", hub.description), ("event", label)]
        ).increment()
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

    /// Lets no thread wait any longer for a database that is away.
    package func endWaiting() { database.endWaiting() }
}
