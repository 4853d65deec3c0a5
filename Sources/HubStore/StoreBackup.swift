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
    /// `progress` hears of each step: the file, pages copied, pages in all. The files are held at
    /// one moment before the first is copied, the log first: registrations that are newer than the
    /// log still know which tags held at its records, older ones would not.
    /// - Throws: `.cannotOpen`, `.corrupted`, `.full`, `.unavailable` with the path.
    package static func copy(
        _ folder: String,
        to destination: String,
        progress: @escaping (_ file: String, _ done: Int, _ pages: Int) -> Void
    ) throws(StoreError) -> Extent {
        let names = try storeFiles(in: folder)
        let copied = try StoreFolder(path: destination)
        defer { copied.close() }
        guard try storeFiles(in: destination).isEmpty else {
            throw .cannotOpen(path: destination, reason: "holds a hub's files already")
        }
        var sources: [(name: String, queue: DatabaseQueue)] = []
        for name in names { sources.append((name, try readOnly("\(folder)/\(name)"))) }
        defer { for source in sources { try? source.queue.close() } }
        for source in sources { try hold(source.queue, path: "\(folder)/\(source.name)") }
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
