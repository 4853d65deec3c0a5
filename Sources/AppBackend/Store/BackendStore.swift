import Foundation
import GRDB

/// The backend's own database, one value for each group of its tables.
///
/// A running backend and the commands for users may have it open at once.
final class BackendStore: Sendable {
    let pool: DatabasePool

    var users: UserTable { UserTable(pool: pool) }
    var sessions: UserSessionTable { UserSessionTable(pool: pool) }
    var registrations: UserRegistrationTable { UserRegistrationTable(pool: pool) }
    var deletions: DeletionTable { DeletionTable(pool: pool) }
    var content: ContentTable { ContentTable(pool: pool) }

    /// Opens the file; makes its tables when it is new.
    ///
    /// - Throws: `.database`, in one line.
    init(path: String) throws(BackendError) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = 4
        configuration.foreignKeysEnabled = true
        // Removed rows are overwritten, so that no payload is left in unused pages.
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
}
