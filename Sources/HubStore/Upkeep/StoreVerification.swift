import Foundation
import GRDB
package import HubModel

/// The findings of a look at every row of a hub's files.
package struct StoreVerification: Hashable, Sendable {
    /// Nothing was looked at yet.
    package init() {}

    /// Rows looked at.
    package var rows = 0
    /// One readable line for each thing that is wrong, at most `faultsMax`.
    package var faults: [String] = []
    /// Wrong things in all.
    package var faultCount = 0

    /// Lines that are kept; more are counted.
    package static let faultsMax = 100

    /// Reads every file of `folder` to its end without changing anything: the engine's own check,
    /// the checksum of every row, that every row can be decoded, and that the log has no holes.
    ///
    /// May run beside the server that writes the files.
    /// - Throws: `.cannotOpen` or `.unavailable`; damage is not thrown, it is the result.
    package static func of(
        _ folder: String,
        progress: (_ text: String) -> Void
    ) throws(StoreError) -> StoreVerification {
        var result = StoreVerification()
        var below: SliceEdge?
        for name in try StoreFolder.storeFiles(in: folder) {
            let path = "\(folder)/\(name)"
            let faultsBefore = result.faultCount
            progress(name)
            let queue: DatabaseQueue
            let hadLog = FileManager.default.fileExists(atPath: path + "-wal")
            defer { if !hadLog { DatabaseQueue.removeEmptyLog(path) } }
            do throws(StoreError) {
                queue = try DatabaseQueue.readOnly(path)
            } catch {
                // Trimmed by the server meanwhile.
                if !FileManager.default.fileExists(atPath: path) { continue }
                throw error
            }
            do {
                try queue.inDatabase { database in
                    let known = Self.tables(of: name)
                    try result.check(database, known, path: path, progress: progress)
                    if SliceFile.number(of: name) != nil {
                        try result.joinSlice(database, path: path, below: &below)
                        // Of a damaged file they would only say the same again.
                        if result.faultCount == faultsBefore {
                            try result.compareLists(database, path: path)
                        }
                    }
                }
                try queue.close()
            } catch {
                let failure = StoreError(error, path: path)
                guard case .corrupted(let text) = failure else { throw failure }
                result.note(text)
            }
        }
        return result
    }

    /// Takes over what a look at another hub found.
    package mutating func add(_ other: StoreVerification) {
        rows += other.rows
        faultCount += other.faultCount
        faults += other.faults.prefix(Self.faultsMax - min(faults.count, Self.faultsMax))
    }

    /// The tables that a file has.
    private static func tables(of file: String) -> [any AnyStoredTable] {
        switch file {
        case RegistrationFile.name:
            RegistrationFile.tables
                + [RegistrationFile.feedTable, RegistrationFile.lastChangeTable]
        case StateFile.name: StateFile.tables
        default: SliceFile.number(of: file) == nil ? [] : SliceFile.tables
        }
    }

    private mutating func check(
        _ database: Database,
        _ known: [any AnyStoredTable],
        path: String,
        progress: (_ text: String) -> Void
    ) throws {
        let words = try String.fetchAll(
            database,
            sql: "PRAGMA integrity_check(\(Self.faultsMax))"
        )
        for word in words where word != "ok" { note("\(path): \(word)") }
        let names = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        )
        for name in names {
            guard let table = known.first(where: { $0.name == name }) else {
                note("\(path): no check is known for table \(name)")
                continue
            }
            try look(at: table, database, path: path, progress: progress)
        }
        if names.contains(RegistrationRow.table.name) {
            try findTwins(database, path: path)
        }
    }

    /// No index of the file keeps two live registrations from having one id.
    private mutating func findTwins(_ database: Database, path: String) throws {
        let count = try Int.fetchOne(
            database,
            sql: "SELECT count(*) - count(DISTINCT regid) FROM registration WHERE deleted = 0"
        )
        if let count, count > 0 { note("\(path): \(count) live registrations have another's id") }
    }

    private mutating func look(
        at table: any AnyStoredTable,
        _ database: Database,
        path: String,
        progress: (_ text: String) -> Void
    ) throws {
        let rows = try Row.fetchCursor(database, sql: table.selection + "ORDER BY 1")
        var last: Int64?
        while let row = try rows.next() {
            self.rows += 1
            if self.rows.isMultiple(of: 100_000) { progress("\(self.rows) rows") }
            let key = Self.name(row)
            if !table.isWhole(row) { note("\(path): \(table.name) \(key) is damaged") }
            guard table.isDense else { continue }
            let number: Int64 = row[0]
            if let last, number != last + 1,
                try table.name != LogEntry.table.name || !Self.beginsEpoch(number, database)
            {
                note("\(path): \(table.name) has a hole between \(last) and \(number)")
            }
            last = number
        }
    }

    /// Where one slice of the log ends.
    private struct SliceEdge {
        var number: Int
        var head: UInt64
    }

    /// Whether a slice goes on where the one before has ended, and begins with its first record.
    private mutating func joinSlice(
        _ database: Database,
        path: String,
        below: inout SliceEdge?
    ) throws {
        guard let row = try SliceRow.read(database, path: path) else { return }
        let ends = try Row.fetchOne(database, sql: "SELECT min(seq), max(seq) FROM entry")
        let lowest = (ends?[0] as Int64?).map(UInt64.init(bitPattern:))
        let head = (ends?[1] as Int64?).map(UInt64.init(bitPattern:)) ?? row.first - 1
        if let lowest, lowest != row.first,
            try !Self.beginsEpoch(Int64(bitPattern: lowest), database)
        {
            note("\(path): begins at \(lowest) instead of \(row.first)")
        }
        if let end = row.end, end.head != head {
            note("\(path): ends at \(head) instead of \(end.head)")
        }
        if let below {
            if below.number + 1 != row.number {
                note("\(path): slice \(below.number + 1) of the log is missing")
            } else if below.head + 1 != row.first,
                try !Self.beginsEpoch(Int64(bitPattern: row.first), database)
            {
                note("\(path): the log has a hole between \(below.head) and \(row.first)")
            }
        }
        below = SliceEdge(number: row.number, head: head)
    }

    /// An epoch may begin above a piece of history that was lost with another file.
    private static func beginsEpoch(_ number: Int64, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS(SELECT 1 FROM epoch WHERE first = ?)",
            arguments: [number]
        ) ?? false
    }

    /// Notes something that is wrong.
    package mutating func note(_ fault: String) {
        faultCount += 1
        if faults.count < Self.faultsMax { faults.append(fault) }
    }

    /// The first column, as a person would name the row: never a handle, a key or a text.
    private static func name(_ row: Row) -> String {
        guard case .int64(let number) = (row[0] as DatabaseValue).storage else { return "row" }
        return "\(number)"
    }
}
