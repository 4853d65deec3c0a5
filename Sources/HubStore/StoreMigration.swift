import Foundation
import GRDB
import HubModel

/// What precedes opening files of an older release: a copy of them, which is kept.
///
/// Each file is brought up to date by itself when it is opened. Where a crash comes between two of
/// them, the next start goes on with those that are left, and finds the copy: one in which all files
/// that will be changed are as they are now. When other old files were put in their place since,
/// there is none, and they are copied as well.
enum StoreMigration {
    /// Where the copy lies, in the hub's folder: the schema of its files, and when it was made.
    static func name(schema: Int, time: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZoneSeparator: .omitted)
            .year().month().day().dateSeparator(.omitted)
            .time(includingFractionalSeconds: false).timeSeparator(.omitted)
        return prefix(schema) + time.formatted(style)
    }

    private static func prefix(_ schema: Int) -> String { "schema-\(schema)-" }

    /// Copies the files of a folder when they are of an older release and were not copied yet; what
    /// to tell of it, nil when they are up to date.
    static func prepare(
        _ folder: StoreFolder,
        limits: StoreLimits,
        _ progress: inout OpeningProgress
    ) throws(StoreError) -> StoreEvent? {
        var oldest = SQLiteFile.schema
        var old: [String] = []
        for name in try StoreBackup.storeFiles(in: folder.path) {
            guard let schema = try schema(of: try folder.existing(name)),
                schema < SQLiteFile.schema
            else { continue }
            oldest = min(oldest, schema)
            old.append(name)
        }
        guard oldest < SQLiteFile.schema else { return nil }
        let names = try folder.names()
        let known = names.filter { $0.hasPrefix(prefix(oldest)) }.sorted().last { copy in
            old.allSatisfy { isSame(folder.path + "/" + $0, folder.path + "/\(copy)/" + $0) }
        }
        if let known {
            return .migrated(from: oldest, backup: folder.path + "/" + known)
        }
        let name = free(name(schema: oldest, time: Date()), among: names)
        // A name that begins with a dot is not finished.
        let staging = folder.path + "/." + name
        for left in try folder.names() where left.hasPrefix("." + prefix(oldest)) {
            try? FileManager.default.removeItem(atPath: folder.path + "/" + left)
        }
        var told = progress
        try StoreBackup.copyFiles(folder.path, to: staging, limits: limits) { file, done, pages in
            told.step("copying \(file) before it is changed, \(done) of \(pages) pages")
        }
        progress = told
        try folder.rename("." + name, to: name)
        return .migrated(from: oldest, backup: folder.path + "/" + name)
    }

    /// A name, or one made of it that is not taken.
    private static func free(_ name: String, among taken: [String]) -> String {
        var (found, count) = (name, 1)
        while taken.contains(found) {
            count += 1
            found = "\(name)-\(count)"
        }
        return found
    }

    /// Whether two files have the same schema, the same tables, and the same rows in them; false when
    /// one cannot be read.
    ///
    /// Their bytes may differ all the same: opening a file leaves free pages in it.
    private static func isSame(_ path: String, _ copy: String) -> Bool {
        do throws(StoreError) {
            let copied = try FileReader(readOnly: copy)
            return try FileReader(recovering: path).reading { left in
                try copied.reading { right in
                    let tables = try tables(left)
                    guard try version(left) == version(right), try tables == self.tables(right)
                    else { return false }
                    return try tables.allSatisfy { try isSame($0[0], left, right) }
                }
            }
        } catch {
            return false
        }
    }

    /// Whether two files have the same rows in a table.
    private static func isSame(
        _ table: String,
        _ left: Database,
        _ right: Database
    ) throws -> Bool {
        let sql = "SELECT * FROM \(table.quotedDatabaseIdentifier)"
        let rows = try Row.fetchCursor(left, sql: sql)
        let others = try Row.fetchCursor(right, sql: sql)
        while let row = try rows.next() {
            guard let other = try others.next(), row == other else { return false }
        }
        return try others.next() == nil
    }

    private static func version(_ database: Database) throws -> Int? {
        try Int.fetchOne(database, sql: "PRAGMA user_version")
    }

    /// Names of all tables, each with the statement that makes it.
    private static func tables(_ database: Database) throws -> [[String]] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT name, sql FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
                """
        )
        return rows.map { [$0[0], $0[1]] }
    }

    /// The schema that a file says it has; nil for an empty one.
    private static func schema(of path: String) throws(StoreError) -> Int? {
        try FileReader(recovering: path).reading { database in
            let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
            return isEmpty ? nil : try version(database)
        }
    }
}
