import Foundation
import GRDB
package import HubCore

/// Copies of a hub's files as of one moment, made while another process may be writing them.
package enum StoreBackup {
    /// Pages of one step; the writer waits for none of them.
    private static let pagesPerStep: CInt = 1_024

    /// Where a copied log ends.
    package struct Extent: Hashable, Sendable {
        /// The log's epoch.
        package let epoch: UInt64
        /// The highest sequence number in the copy.
        package let head: UInt64
        /// The check value of the record there.
        package let check: UInt32
    }

    /// Copies every store file of `folder` into `destination`, which is made and must hold none.
    ///
    /// `progress` hears of each step: the file, pages copied, pages in all. All files are held
    /// before the first is copied, see `held`.
    /// - Throws: `.cannotOpen`, `.corrupted`, `.full`, `.unavailable` with the path.
    package static func copy(
        _ folder: String,
        to destination: String,
        progress: @escaping (_ file: String, _ done: Int, _ pages: Int) -> Void
    ) throws(StoreError) -> Extent {
        let copied = try StoreFolder(path: destination)
        defer { copied.close() }
        guard try storeFiles(in: destination).isEmpty else {
            throw .cannotOpen(path: destination, reason: "holds a hub's files already")
        }
        let sources = try held(folder)
        defer { for source in sources { try? source.queue.close() } }
        for source in sources {
            let path = try copied.file(source.name)
            do {
                let target = try DatabaseQueue(path: path)
                try target.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                try source.queue.inDatabase { from in
                    try target.inDatabase { to in
                        try from.backup(to: to, pagesPerStep: pagesPerStep) { state in
                            progress(source.name, state.completedPageCount, state.totalPageCount)
                        }
                    }
                }
                try target.close()
            } catch {
                throw StoreError(error, path: path)
            }
        }
        return try extent(in: destination)
    }

    /// Gives a restored copy an epoch of its own, above all it holds.
    ///
    /// What was sent after the copy was made is not in it: a device that has seen some of that finds
    /// its position unknown and is told so, instead of taking new records for old ones.
    /// - Returns: the place at which the epoch begins.
    ///
    /// Source: rules B.2.
    package static func beginEpoch(
        in folder: String,
        seed: UInt64
    ) throws(StoreError) -> LogPlace {
        let files = try StoreFolder(path: folder)
        defer { files.close() }
        let log = try LogFile(path: try files.file(LogFile.name))
        defer { log.file.close() }
        let registrations = try RegistrationFile(path: try files.file(RegistrationFile.name))
        defer { registrations.file.close() }
        guard let bounds = try log.bounds(), let mark = try registrations.mark() else {
            throw .corrupted("\(folder): a copy without an epoch")
        }
        let head = max(bounds.head, mark.log.head)
        let check = try log.check(at: head) ?? mark.log.check
        var epoch = seed
        while epoch == 0 || bounds.epochs.contains(where: { $0.epoch == epoch }) { epoch &+= 1 }
        let place = LogPlace(epoch: epoch, sequence: head + 1)
        try log.begin(place, checkBelow: check, isEmpty: false)
        try registrations.setMark(
            RegistrationFile.LogMark(epoch: epoch, head: head, check: check),
            numberMax: mark.numberMax
        )
        return place
    }

    /// The store files of a folder, the log first.
    static func storeFiles(in folder: String) throws(StoreError) -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".sqlite") }
            // "log-…" sorts before "registrations" and "state".
            return names.sorted()
        } catch {
            throw .cannotOpen(path: folder, reason: error.localizedDescription)
        }
    }

    /// A connection that cannot write.
    static func readOnly(_ path: String) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        // A copy is made within a transaction that outlives the call which opens it.
        configuration.allowsUnsafeTransactions = true
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw StoreError(opening: error, path: path)
        }
    }

    /// Read transactions on every file of a hub, as of moments between which the registrations did
    /// not get ahead of the log.
    ///
    /// The state is held first, since cursors may be older than the log but not newer; then the log.
    /// Registrations that know of later records could lack a schedule that became one of them.
    private static func held(
        _ folder: String
    ) throws(StoreError) -> [(name: String, queue: DatabaseQueue)] {
        let names = try storeFiles(in: folder).sorted { left, _ in left == StateFile.name }
        for _ in 0..<holdsMax {
            var sources: [(name: String, queue: DatabaseQueue)] = []
            for name in names {
                let queue = try readOnly("\(folder)/\(name)")
                try hold(queue, path: "\(folder)/\(name)")
                sources.append((name, queue))
            }
            let log = try number("SELECT max(seq) FROM entry", in: LogFile.name, of: sources)
            let known = try number("SELECT head FROM meta", in: RegistrationFile.name, of: sources)
            let below = try number("SELECT max(first) FROM epoch", in: LogFile.name, of: sources)
            if known <= max(log, below - 1) { return sources }
            for source in sources { try? source.queue.close() }
        }
        throw .unavailable(reason: "\(folder): too busy to be copied; try again")
    }

    /// How often files are held anew before a hub is said to be too busy.
    private static let holdsMax = 100

    private static func number(
        _ sql: String,
        in name: String,
        of sources: [(name: String, queue: DatabaseQueue)]
    ) throws(StoreError) -> Int64 {
        guard let source = sources.first(where: { $0.name == name }) else {
            throw .corrupted("\(name) is missing")
        }
        do {
            return try source.queue.inDatabase { try Int64.fetchOne($0, sql: sql) ?? 0 }
        } catch {
            throw StoreError(error, path: name)
        }
    }

    /// Opens a read transaction, which goes on until the connection is closed: from here on the
    /// connection sees the file as it is now.
    private static func hold(_ queue: DatabaseQueue, path: String) throws(StoreError) {
        do {
            try queue.inDatabase { database in
                let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
                guard owner == SQLiteFile.applicationID else {
                    throw StoreError.cannotOpen(path: path, reason: "not a file of this program")
                }
                try database.beginTransaction(.deferred)
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func extent(in folder: String) throws(StoreError) -> Extent {
        let log = try LogFile(path: "\(folder)/\(LogFile.name)")
        defer { log.file.close() }
        guard let bounds = try log.bounds() else {
            throw .corrupted("\(folder)/\(LogFile.name): no epoch")
        }
        return Extent(
            epoch: bounds.epoch,
            head: bounds.head,
            check: try log.check(at: bounds.head) ?? 0
        )
    }
}
