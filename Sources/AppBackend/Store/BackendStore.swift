import Foundation
import GRDB

/// The backend's own database: users, access tokens, registrations, content.
///
/// A running backend and the commands for users may have it open at once.
final class BackendStore: Sendable {
    /// "BLFB" in the file's header: no other program's file is taken for ours.
    private static let applicationID: Int32 = 0x424C_4642
    private static let schema = 1

    let pool: DatabasePool

    /// Opens the file and makes its tables when it is new.
    ///
    /// - Throws: `.database`, in one line.
    init(path: String) throws(BackendError) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = 4
        configuration.foreignKeysEnabled = true
        // What is removed is overwritten, so that no payload is left in unused pages.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try Self.prepare(database)
            }
        } catch let error as BackendError {
            throw error
        } catch {
            throw .database(reason: "\(path): \(error)")
        }
    }

    /// Lets go of the file.
    func close() {
        // Failing to tidy up costs only time at the next start.
        try? pool.close()
    }

    /// Moves what is in the write-ahead log into the file.
    func checkpoint() throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Whether payloads have a key already, so that another one must not be made.
    func hasKey() throws(BackendError) -> Bool {
        do {
            return try pool.read { database in
                try Row.fetchOne(database, sql: "SELECT 1 FROM setting WHERE name = 'key'") != nil
            }
        } catch {
            throw .database(reason: "\(error)")
        }
    }

    /// Notes the key of secure payloads at the first start, and compares it at every later one.
    ///
    /// - Throws: `.key` when payloads were sealed with another one.
    func recognise(_ cipher: PayloadCipher) throws(BackendError) {
        let check = cipher.check
        do {
            let known = try pool.write { database in
                try database.execute(
                    sql: "INSERT OR IGNORE INTO setting (name, value) VALUES ('key', ?)",
                    arguments: [check]
                )
                return try Data.fetchOne(
                    database,
                    sql: "SELECT value FROM setting WHERE name = 'key'"
                )
            }
            guard known == check else {
                throw BackendError.key(reason: "is not the one that the database was made with")
            }
        } catch let error as BackendError {
            throw error
        } catch {
            throw .database(reason: "\(error)")
        }
    }

    private static func prepare(_ database: Database) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
        guard isEmpty || owner == applicationID else {
            throw BackendError.database(reason: "the file belongs to another program")
        }
        guard found <= schema else {
            throw BackendError.database(reason: "the file was written by a newer version")
        }
        guard isEmpty else { return }
        try database.inTransaction(.immediate) {
            try database.execute(sql: tables)
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(schema)")
            return .commit
        }
    }

    /// `departing` are registrations whose user has left, until the hub has deleted them, and
    /// `gone` users whose name may be on registrations that are not known here.
    private static let tables = """
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
        """ + contentTables

    /// Payloads are apart, so that looking for what is old or too much reads none of them;
    /// `content_sum` is kept by triggers, and `posted` counts what a sender gave in a day.
    private static let contentTables = """
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
