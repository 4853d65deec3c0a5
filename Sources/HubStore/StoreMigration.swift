import Foundation
import GRDB
import HubModel

/// The preparation of files of an older schema before they are opened: a copy, then the steps.
///
/// Each file is changed in a transaction of its own. The copy has the suffix `begun` until every file
/// is up to date, so a start after a crash goes on with the files that are left and copies nothing.
enum StoreMigration {
    private static let begun = "-begun"

    private struct OldFile {
        var name: String
        var schema: Int
    }

    /// Copies the files of a folder and brings them up to date when some are of an older schema.
    ///
    /// - Returns: what to tell the operator; nil when there was nothing to do.
    /// - Throws: `.newerSchema`, or `.olderSchema` for one from which no step leads on, before
    ///   anything is changed.
    static func prepare(
        _ folder: StoreFolder,
        limits: StoreLimits,
        steps: [SchemaStep] = SchemaStep.all,
        _ progress: inout OpeningProgress
    ) throws(StoreError) -> StoreEvent? {
        let old = try oldFiles(of: folder, steps)
        let copy: String
        if let known = try folder.names().first(where: isBegun) {
            copy = known
        } else if let oldest = old.map(\.schema).min() {
            copy = try makeCopy(of: folder, schema: oldest, limits, &progress)
        } else {
            return nil
        }
        for file in old { try change(file, in: folder, steps) }
        let name = String(copy.dropLast(begun.count))
        try folder.rename(copy, to: name)
        return .migrated(backup: folder.path + "/" + name)
    }

    private static func isBegun(_ name: String) -> Bool {
        name.hasPrefix("schema-") && name.hasSuffix(begun)
    }

    private static func oldFiles(
        of folder: StoreFolder,
        _ steps: [SchemaStep]
    ) throws(StoreError) -> [OldFile] {
        var old: [OldFile] = []
        for name in try StoreFolder.storeFiles(in: folder.path) {
            guard let schema = try schema(of: try folder.existing(name)),
                schema != SQLiteFile.schema
            else { continue }
            guard steps.contains(where: { $0.from == schema }) else {
                throw SQLiteFile.refusal(of: schema)
            }
            old.append(OldFile(name: name, schema: schema))
        }
        return old
    }

    /// The schema that a file of this program says it has; nil for an empty file and for another
    /// program's, which opening it refuses.
    private static func schema(of path: String) throws(StoreError) -> Int? {
        try FileReader(recovering: path).reading { database in
            let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            guard owner == SQLiteFile.applicationID else { return nil }
            return try Int.fetchOne(database, sql: "PRAGMA user_version")
        }
    }

    /// Copies every file; the name of the copy, which is whole when it has that name.
    private static func makeCopy(
        of folder: StoreFolder,
        schema: Int,
        _ limits: StoreLimits,
        _ progress: inout OpeningProgress
    ) throws(StoreError) -> String {
        let style = Date.ISO8601FormatStyle(timeZoneSeparator: .omitted)
            .year().month().day().dateSeparator(.omitted)
            .time(includingFractionalSeconds: true).timeSeparator(.omitted)
        let name = "schema-\(schema)-" + Date().formatted(style) + begun
        let staging = ".schema"
        // Of an attempt that was cut off. Where it stays, copying fails and says why.
        try? FileManager.default.removeItem(atPath: folder.path + "/" + staging)
        var told = progress
        try StoreBackup.copyFiles(folder.path, to: folder.path + "/" + staging, limits: limits) {
            file,
            done,
            pages in
            told.step("copying \(file) before it is changed, \(done) of \(pages) pages")
        }
        progress = told
        try folder.rename(staging, to: name)
        return name
    }

    private static func change(
        _ file: OldFile,
        in folder: StoreFolder,
        _ steps: [SchemaStep]
    ) throws(StoreError) {
        let path = folder.path + "/" + file.name
        do {
            let queue = try DatabaseQueue(path: path, configuration: .patient)
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try database.inTransaction(.immediate) {
                    for step in steps where step.from >= file.schema {
                        try step.change(file.name, database)
                    }
                    try database.execute(sql: "PRAGMA user_version = \(SQLiteFile.schema)")
                    return .commit
                }
            }
            try queue.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
