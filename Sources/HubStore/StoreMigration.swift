import Foundation
import GRDB
import HubCore

/// What precedes opening files of an older release: a copy of them, which is kept.
///
/// Each file is brought up to date by itself when it is opened. Where a crash comes between two of
/// them, the next start goes on with those that are left, and finds the copy.
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
        for name in try StoreBackup.storeFiles(in: folder.path) {
            oldest = min(oldest, try schema(of: try folder.existing(name)) ?? oldest)
        }
        guard oldest < SQLiteFile.schema else { return nil }
        let known = try folder.names().filter { $0.hasPrefix(prefix(oldest)) }.sorted().first
        if let known {
            return .migrated(from: oldest, backup: folder.path + "/" + known)
        }
        let name = name(schema: oldest, time: Date())
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

    /// The schema that a file says it has; nil for an empty one.
    private static func schema(of path: String) throws(StoreError) -> Int? {
        try FileReader(recovering: path).reading { database in
            let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
            return isEmpty ? nil : try Int.fetchOne(database, sql: "PRAGMA user_version")
        }
    }
}
