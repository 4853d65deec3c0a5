import GRDB
import HubModel

/// One SQLite file of a hub: opened, checked, and guarded against every promise it must not break.
///
/// The synchronous level is set on the writing connection after the pool is open, because opening
/// resets it, and read back; `FULL` where the file is the truth. Source:
/// Decisions/DurableBeforeAnswer.
struct SQLiteFile {
    /// "BLF1" in the file's header: no other program's file is taken for ours.
    static let applicationID: Int32 = 0x424C_4631
    /// The layout that this release reads and writes; each file says its own.
    ///
    /// Files with lower numbers were written before the first release.
    static let schema = 5

    /// The path.
    let path: String
    /// The connections; only the hub's writer thread writes.
    let pool: DatabasePool

    /// Opens a file; makes its tables in one transaction when it is new.
    ///
    /// - Throws: `.newerSchema`, `.olderSchema`, `.corrupted`, `.cannotOpen` or `.notDurable`.
    init(
        path: String,
        pageBytes: Int,
        readers: Int,
        keeping: Durability,
        create: (Database) throws -> Void
    ) throws(StoreError) {
        var configuration = Configuration.patient
        configuration.maximumReaderCount = readers
        configuration.prepareDatabase { database in
            // Before the first page is written; without effect on an existing file.
            try database.execute(sql: "PRAGMA page_size = \(pageBytes)")
            // Sorting must not need a file on a disk that is full.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        self.path = path
        let pool: DatabasePool
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
        } catch {
            throw StoreError(opening: error, path: path)
        }
        self.pool = pool
        try accessing { database in
            try Self.prepare(database, path: path, keeping: keeping, create: create)
        }
    }

    /// The error for a file of another schema.
    static func refusal(of found: Int) -> StoreError {
        found > schema
            ? .newerSchema(found: found, known: schema)
            : .olderSchema(found: found, known: schema)
    }

    /// Runs `body` on the writing connection, outside a transaction.
    func accessing<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try pool.writeWithoutTransaction(body)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Runs `body` as one transaction: durable when this returns, undone when it throws.
    ///
    /// A commit that fails in its sync is undone in memory only: its pages, with the mark of a
    /// commit, stay in the write-ahead log until the next commit overwrites them, and a crash
    /// before that would bring them back. So the next commit comes at once, a small one of our own.
    /// If it fails too, the first later one that succeeds does the same.
    func writing(_ body: (Database) throws -> Void) throws(StoreError) {
        try accessing { database in
            do {
                try database.cachedStatement(sql: "BEGIN IMMEDIATE").run()
                try body(database)
                try database.cachedStatement(sql: "COMMIT").run()
            } catch {
                // The caller hears of the first failure, which says more.
                try? database.rollback()
                // The same holds for this one.
                try? Self.overwriteRefused(database)
                throw error
            }
        }
    }

    /// Commits what is there already: setting the version writes a page whether it differs or not.
    private static func overwriteRefused(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(sql: "PRAGMA user_version = \(schema)")
            return .commit
        }
    }

    /// Commits what is there already; throws what a commit would.
    func probe() throws(StoreError) {
        try accessing { database in
            try Self.overwriteRefused(database)
        }
    }

    /// Its reading connections, for any thread.
    var reader: FileReader { FileReader(path: path, connections: pool) }

    /// Runs `body` on a reading connection; from any thread.
    func reading<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try reader.reading(body)
    }

    /// Brings everything into the main file and lets go of it.
    func close() {
        // Failing to tidy up costs only time at the next start: the write-ahead log stays.
        try? pool.close()
    }

    /// Requires that reading and writing do what they say: no trigger, view or virtual table.
    static func requireNoPrograms(_ database: Database, path: String) throws {
        let sql =
            "SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR rootpage = 0"
        guard try Int.fetchOne(database, sql: sql) == 0 else {
            throw StoreError.cannotOpen(path: path, reason: "has triggers or views")
        }
    }

    private static func prepare(
        _ database: Database,
        path: String,
        keeping: Durability,
        create: (Database) throws -> Void
    ) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
        guard isEmpty || owner == applicationID else {
            throw StoreError.cannotOpen(path: path, reason: "not a file of this program")
        }
        guard found == schema || isEmpty && found == 0 else { throw refusal(of: found) }
        try requireNoPrograms(database, path: path)
        let promised = keeping.synchronous
        try database.execute(sql: "PRAGMA synchronous = \(promised.word)")
        let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
        guard level == promised.level, mode == "wal" else {
            let found = "synchronous \(level ?? -1), journal_mode \(mode ?? "none")"
            throw StoreError.notDurable("\(path): \(found)")
        }
        guard isEmpty else { return }
        try database.inTransaction(.immediate) {
            try create(database)
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(schema)")
            return .commit
        }
    }
}
