import Foundation
import GRDB

// The tables of the file.
extension BackendStore {
    /// "BLFB" in the file's header: no other program's file is taken for ours.
    private static let applicationID: Int32 = 0x424C_4642
    /// The layout of the tables; files with lower numbers were written before the first release.
    static let schema = 3

    /// Makes the tables of a new file in one transaction; checks a file that was there.
    ///
    /// - Throws: `BackendError.database` for another program's file, and for another layout.
    static func prepare(_ database: Database) throws {
        guard try isNew(database) else { return }
        try database.inTransaction(.immediate) {
            // Another process may have made them meanwhile.
            if try isNew(database) {
                try database.execute(sql: tables)
                try database.execute(sql: "PRAGMA application_id = \(applicationID)")
                try database.execute(sql: "PRAGMA user_version = \(schema)")
            }
            return .commit
        }
    }

    /// Whether a file has no tables yet; throws when it has others than ours.
    private static func isNew(_ database: Database) throws -> Bool {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
        if isEmpty, found == 0 { return true }
        guard owner == applicationID, found > 0 else {
            throw BackendError.database(reason: "the file belongs to another program")
        }
        guard found <= schema else {
            throw BackendError.database(
                reason: "the file has the layout \(found) of a newer release; this one knows "
                    + "\(schema): start that release"
            )
        }
        guard found == schema else {
            throw BackendError.database(
                reason: "the file has the layout \(found) from before the first release; this one "
                    + "knows \(schema): move the file away to start anew"
            )
        }
        return false
    }

    /// `departing` are registrations whose user has left, until the hub has deleted them, and
    /// `gone` users whose name may be on registrations that are not known here.
    ///
    /// `writing` are registrations that are being written at the hub, for whom, and behind which
    /// second nothing of it can arrive any more.
    ///
    /// Payloads are apart, so that looking for what is old or too much reads none of them;
    /// `content_sum` is kept by triggers, and `posted` counts what a sender gave in a day.
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
        CREATE TABLE writing (
            id TEXT PRIMARY KEY, user TEXT NOT NULL, until INTEGER NOT NULL
        ) STRICT;
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
