import Foundation
import GRDB

// What the file's tables are, and how those of an older release become them.
extension BackendStore {
    /// "BLFB" in the file's header: no other program's file is taken for ours.
    private static let applicationID: Int32 = 0x424C_4642
    /// The layout of the tables; another one is another number, and a step in `migrate`.
    static let schema = 3

    /// Makes the tables, or brings them up to date, in one transaction; a file that was there is
    /// copied first.
    ///
    /// - Throws: `BackendError.database` for another program's file, or that of a newer release.
    static func prepare(_ database: Database, path: String) throws {
        guard let found = try version(database) else {
            return try database.inTransaction(.immediate) {
                // Another process may have made them meanwhile.
                if try version(database) == nil {
                    try database.execute(sql: tables)
                    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
                    try database.execute(sql: "PRAGMA user_version = \(schema)")
                }
                return .commit
            }
        }
        guard found < schema else { return }
        // Before the copy, which somebody may take along.
        if found < 3 { try forgetDigests(database) }
        try copy(database, path: path, schema: found)
        try database.inTransaction(.immediate) {
            let current = try version(database) ?? schema
            if current < schema {
                try migrate(database, from: current)
                try database.execute(sql: "PRAGMA user_version = \(schema)")
            }
            return .commit
        }
    }

    /// The number of a file's layout; nil for a new file.
    private static func version(_ database: Database) throws -> Int? {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
        if isEmpty, found == 0 { return nil }
        guard owner == applicationID, found > 0 else {
            throw BackendError.database(reason: "the file belongs to another program")
        }
        guard found <= schema else {
            throw BackendError.database(
                reason: "the file has the layout \(found) of a newer release; this one knows "
                    + "\(schema)"
            )
        }
        return found
    }

    /// Where a file is copied to before its layout is changed; the copy stays until somebody removes
    /// it.
    static func copyPath(of path: String, schema: Int) -> String { "\(path).schema-\(schema)" }

    /// Copies what is in the file now; a copy that is there may be of what was in another one.
    private static func copy(_ database: Database, path: String, schema: Int) throws {
        let first = copyPath(of: path, schema: schema)
        var copy = first
        var number = 1
        while FileManager.default.fileExists(atPath: copy) {
            number += 1
            copy = "\(first)-\(number)"
        }
        // Somebody else's that migrates at the same time has another name.
        let begun = "\(copy).\(ProcessInfo.processInfo.processIdentifier)"
        // What a crash has left is not whole.
        try? FileManager.default.removeItem(atPath: begun)
        let isMade = FileManager.default.createFile(
            atPath: begun,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade else { throw BackendError.database(reason: "\(copy) cannot be written") }
        try database.execute(sql: "VACUUM INTO ?", arguments: [begun])
        try FileManager.default.moveItem(atPath: begun, toPath: copy)
    }

    /// Brings tables up to date, step by step.
    private static func migrate(_ database: Database, from found: Int) throws {
        if found < 2 { try migrateFirst(database) }
        if found < 3 { try database.execute(sql: writingTable) }
    }

    /// Removes what the second layout kept of requests: hashes without a key, by which a guess at a
    /// sealed payload could be checked.
    private static func forgetDigests(_ database: Database) throws {
        let columns = try database.columns(in: "content")
        guard columns.contains(where: { $0.name == "request_digest" }) else { return }
        try database.execute(
            sql: "UPDATE content SET request_digest = NULL WHERE request_digest IS NOT NULL"
        )
        // Nor are they left in the write-ahead log.
        try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// From the first layout, in which users had no generation, and content neither a sender nor
    /// payloads apart.
    ///
    /// Files with today's layout have had that number too; they only get theirs.
    private static func migrateFirst(_ database: Database) throws {
        guard try !database.tableExists("payload") else { return }
        let last =
            try Int64.fetchOne(
                database,
                sql: "SELECT seq FROM sqlite_sequence WHERE name = 'content'"
            ) ?? 0
        try database.execute(
            sql: """
                ALTER TABLE user ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE content RENAME TO old_content;
                DROP INDEX content_recipient;
                """ + contentTables
        )
        // Who sent it is not known; to nobody's limits but its addressee's it counts.
        try database.execute(
            sql: """
                INSERT INTO content (id, sender, recipient, is_secure, message, rich_type,
                    media_type, etag, bytes, is_read, created)
                    SELECT id, '', recipient, is_secure, message, rich_type, media_type, etag,
                        length(payload), is_read, created FROM old_content;
                INSERT INTO payload SELECT id, payload FROM old_content;
                DROP TABLE old_content;
                DELETE FROM sqlite_sequence WHERE name = 'content';
                """
        )
        // No id is given twice: somebody may still have a notification with an old one.
        try database.execute(
            sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('content', ?)",
            arguments: [last]
        )
    }

    /// `departing` are registrations whose user has left, until the hub has deleted them, and
    /// `gone` users whose name may be on registrations that are not known here.
    static let tables = """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
        CREATE TABLE user (
            name TEXT PRIMARY KEY, hash TEXT NOT NULL, created INTEGER NOT NULL,
            generation INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE session (
            hash BLOB PRIMARY KEY,
            user TEXT NOT NULL REFERENCES user (name) ON DELETE CASCADE,
            expires INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX session_user ON session (user, expires);
        CREATE TABLE registration (
            id TEXT PRIMARY KEY,
            user TEXT NOT NULL REFERENCES user (name) ON DELETE CASCADE,
            handle TEXT, platform TEXT, changed INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX registration_user ON registration (user, changed);
        CREATE INDEX registration_handle ON registration (handle);
        CREATE TABLE departing (id TEXT PRIMARY KEY) STRICT;
        CREATE TABLE gone (user TEXT PRIMARY KEY) STRICT;
        """ + writingTable + contentTables

    /// Registrations that are being written at the hub, for whom, and behind which second nothing of
    /// it can arrive any more.
    ///
    /// Files with today's layout have had an older number too.
    private static let writingTable = """

        CREATE TABLE IF NOT EXISTS writing (
            id TEXT PRIMARY KEY, user TEXT NOT NULL, until INTEGER NOT NULL
        ) STRICT;

        """

    /// Payloads are apart, so that looking for what is old or too much reads none of them;
    /// `content_sum` is kept by triggers, and `posted` counts what a sender gave in a day.
    static let contentTables = """
        CREATE TABLE content (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            sender TEXT NOT NULL,
            recipient TEXT NOT NULL REFERENCES user (name) ON DELETE CASCADE,
            is_secure INTEGER NOT NULL, message TEXT NOT NULL, rich_type TEXT NOT NULL,
            media_type TEXT NOT NULL, etag TEXT NOT NULL, bytes INTEGER NOT NULL,
            request_key TEXT, request_digest BLOB,
            is_read INTEGER NOT NULL, created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX content_recipient ON content (recipient, sender, is_read, bytes);
        CREATE INDEX content_created ON content (created);
        CREATE UNIQUE INDEX content_request ON content (request_key)
            WHERE request_key IS NOT NULL;
        CREATE TABLE payload (
            content INTEGER PRIMARY KEY REFERENCES content (id) ON DELETE CASCADE,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE TABLE content_sum (bytes INTEGER NOT NULL) STRICT;
        INSERT INTO content_sum VALUES (0);
        CREATE TRIGGER content_added AFTER INSERT ON content BEGIN
            UPDATE content_sum SET bytes = bytes + new.bytes;
        END;
        CREATE TRIGGER content_removed AFTER DELETE ON content BEGIN
            UPDATE content_sum SET bytes = bytes - old.bytes;
        END;
        CREATE TABLE posted (
            sender TEXT NOT NULL REFERENCES user (name) ON DELETE CASCADE,
            day INTEGER NOT NULL, pieces INTEGER NOT NULL, bytes INTEGER NOT NULL,
            PRIMARY KEY (sender, day)
        ) STRICT;
        """
}
