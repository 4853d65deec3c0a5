import Foundation
import GRDB
package import HubModel
import HubVocabulary

/// Copies of a hub's files as of one moment, made while another process may be writing them.
package enum StoreBackup {
    /// Where a copied log ends.
    package struct Extent: Hashable, Sendable {
        /// The log's epoch.
        package let epoch: UInt64
        /// The highest sequence number in the copy.
        package let head: UInt64
        /// The check value of the record there.
        package let check: UInt32
    }

    /// A file with an open connection.
    private typealias Source = (name: String, queue: DatabaseQueue)

    /// Copies every store file of `folder` into `destination`, which is made and must hold none.
    ///
    /// `progress` hears of each step: the file, pages copied, pages in all. All files that change
    /// are held before the first is copied, see `held`.
    /// - Throws: `.cannotOpen`, `.corrupted`, `.full`, `.unavailable` with the path.
    package static func copy(
        _ folder: String,
        to destination: String,
        limits: StoreLimits = StoreLimits(),
        progress: @escaping (_ file: String, _ done: Int, _ pages: Int) -> Void
    ) throws(StoreError) -> Extent {
        try copyFiles(folder, to: destination, limits: limits, progress: progress)
        return try extent(in: destination)
    }

    /// Copies files of any schema, without a look at what is in the copy.
    static func copyFiles(
        _ folder: String,
        to destination: String,
        limits: StoreLimits,
        progress: @escaping (_ file: String, _ done: Int, _ pages: Int) -> Void
    ) throws(StoreError) {
        let copied = try StoreFolder(path: destination)
        defer { copied.close() }
        guard try StoreFolder.storeFiles(in: destination).isEmpty else {
            throw .cannotOpen(path: destination, reason: "holds a hub's files already")
        }
        let (sources, sealed) = try held(folder, limits: limits)
        defer { for source in sources { source.queue.letGo() } }
        for (index, name) in sealed.enumerated() {
            let source: DatabaseQueue
            do throws(StoreError) {
                source = try DatabaseQueue.readOnly("\(folder)/\(name)")
            } catch {
                guard !FileManager.default.fileExists(atPath: "\(folder)/\(name)") else {
                    throw error
                }
                // Trimmed just now, and with it all that lies below.
                for below in sealed[..<index] { copied.remove(below) }
                continue
            }
            defer { source.letGo() }
            try copy((name, source), into: copied, limits: limits, progress: progress)
        }
        for source in sources {
            try copy(source, into: copied, limits: limits, progress: progress)
        }
    }

    private static func copy(
        _ source: Source,
        into folder: StoreFolder,
        limits: StoreLimits,
        progress: @escaping (_ file: String, _ done: Int, _ pages: Int) -> Void
    ) throws(StoreError) {
        let path = try folder.file(source.name)
        do {
            let target = try DatabaseQueue(path: path)
            try target.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try source.queue.inDatabase { from in
                try target.inDatabase { to in
                    let step = CInt(limits.backupPagesPerStep)
                    try from.backup(to: to, pagesPerStep: step) { state in
                        progress(source.name, state.completedPageCount, state.totalPageCount)
                    }
                }
            }
            try target.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Read transactions on every file of a hub that may change, as of moments between which the
    /// registrations did not get ahead of the log; and the names of those that do not change.
    ///
    /// The state is held first, since cursors may be older than the log but not newer; then the log.
    /// Registrations that know of later records could lack a schedule that became one of them. A
    /// slice that began meanwhile makes it begin anew.
    private static func held(
        _ folder: String,
        limits: StoreLimits
    ) throws(StoreError) -> (changing: [Source], sealed: [String]) {
        for _ in 0..<limits.backupAttemptsMax {
            if let found = try hold(try StoreFolder.storeFiles(in: folder), of: folder) {
                return found
            }
        }
        throw .unavailable(reason: "\(folder): too busy to be copied; try again")
    }

    /// One attempt; nil when the hub was faster.
    private static func hold(
        _ names: [String],
        of folder: String
    ) throws(StoreError) -> (changing: [Source], sealed: [String])? {
        var sources: [Source] = []
        var sealed: [String] = []
        var isHeld = false
        defer {
            if !isHeld { for source in sources { source.queue.letGo() } }
        }
        let state = names.filter { $0 == StateFile.name }
        for name in state + names.filter({ $0 != StateFile.name }) {
            let path = "\(folder)/\(name)"
            let queue: DatabaseQueue
            do throws(StoreError) {
                queue = try DatabaseQueue.readOnly(path)
            } catch {
                if FileManager.default.fileExists(atPath: path) { throw error }
                return nil
            }
            if try isSealed(queue, path: path) {
                queue.letGo()
                sealed.append(name)
            } else {
                sources.append((name, queue))
                guard try hold(queue, path: path) else { return nil }
            }
        }
        guard let last = names.compactMap(SliceFile.number).max() else {
            throw .corrupted("\(folder): the log is missing")
        }
        // Sealed since the names were read: another slice goes on behind it.
        guard let newest = sources.first(where: { SliceFile.number(of: $0.name) == last }) else {
            return nil
        }
        let log = try number("SELECT max(seq) FROM entry", in: newest.name, of: sources)
        let known = try number("SELECT head FROM meta", in: RegistrationFile.name, of: sources)
        let begun = try number("SELECT max(first) FROM epoch", in: newest.name, of: sources)
        let first = try firstPlace(of: newest)
        isHeld = known <= max(log, begun - 1, first - 1)
        return isHeld ? (sources, sealed) : nil
    }

    private static func number(
        _ sql: String,
        in name: String,
        of sources: [Source]
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

    /// The first place of a slice; 1 for a file that is none.
    private static func firstPlace(of slice: Source) throws(StoreError) -> Int64 {
        do {
            let row = try slice.queue.inDatabase { try SliceRow.read($0, path: slice.name) }
            return Int64(clamping: row?.first ?? 1)
        } catch {
            throw StoreError(error, path: slice.name)
        }
    }

    /// Whether nothing is written to a file any more.
    private static func isSealed(
        _ queue: DatabaseQueue,
        path: String
    ) throws(StoreError) -> Bool {
        do {
            return try queue.inDatabase { try SliceRow.read($0, path: path)?.end != nil }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Opens a read transaction, which goes on until the connection is closed.
    ///
    /// From here on the connection sees the file as it is now. False when there is nothing in it
    /// yet: a slice that is just being made.
    private static func hold(_ queue: DatabaseQueue, path: String) throws(StoreError) -> Bool {
        do {
            return try queue.inDatabase { database in
                try database.beginTransaction(.deferred)
                let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
                guard tables != 0 else { return false }
                let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
                guard owner == SQLiteFile.applicationID else {
                    throw StoreError.cannotOpen(path: path, reason: "not a file of this program")
                }
                return true
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Where the log of a folder ends, whatever its schema.
    private static func extent(in folder: String) throws(StoreError) -> Extent {
        guard let last = try StoreFolder.storeFiles(in: folder).compactMap(SliceFile.number).max()
        else {
            throw .corrupted("\(folder): the log is missing")
        }
        let path = "\(folder)/\(SliceFile.name(last))"
        return try FileReader(readOnly: path).reading { database in
            guard let epoch = try EpochRow.all(database, path: path).last else {
                throw StoreError.corrupted("\(path): no epoch")
            }
            let row = try Row.fetchOne(
                database,
                sql: "SELECT seq, check_value FROM entry ORDER BY seq DESC LIMIT 1"
            )
            let begun = epoch.place.sequence - 1
            if let row, UInt64(bitPattern: row[0]) > begun {
                let check = UInt32(truncatingIfNeeded: row[1] as Int64)
                let head = UInt64(bitPattern: row[0])
                return Extent(epoch: epoch.place.epoch, head: head, check: check)
            }
            let slice = try SliceRow.read(database, path: path)
            guard let slice, slice.first - 1 > begun else {
                return Extent(epoch: epoch.place.epoch, head: begun, check: epoch.checkBelow)
            }
            return Extent(
                epoch: epoch.place.epoch,
                head: slice.first - 1,
                check: slice.checkBelow
            )
        }
    }
}
