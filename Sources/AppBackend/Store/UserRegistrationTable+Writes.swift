import Foundation
import GRDB

// Registrations that are being written at the hub.
//
// A user who leaves while a PUT is on its way has nothing at the hub yet that could be deleted, and
// no answer may ever say that it has arrived. So the transaction that lets the id be written notes
// it, with the second behind which nothing of it can arrive. Until then a registration that is not
// its user's any more is deleted again.
extension UserRegistrationTable {
    /// Notes that a registration is being written; in the transaction that says whose it is.
    ///
    /// - Throws: `BackendRefusal` 410 when what another user wrote under the id may still arrive.
    static func beginWrite(
        _ database: Database,
        of registration: OwnedRegistration,
        until: Int64
    ) throws {
        let user = registration.user.text
        let writer = try String.fetchOne(
            database,
            sql: "SELECT user FROM writing WHERE id = ?",
            arguments: [registration.id]
        )
        guard writer == nil || writer == user else { throw BackendRefusal.registrationGone }
        try database.execute(
            sql: """
                INSERT INTO writing (id, user, until) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET until = max(until, excluded.until)
                """,
            arguments: [registration.id, user, until]
        )
    }

    /// Whether a registration is still its user's, now that the hub has answered.
    ///
    /// Nothing of the request can arrive any more; if it is not, it is noted as one to be deleted.
    func finishWrite(of registration: OwnedRegistration) async throws -> Bool {
        try await pool.write { database in
            let owner = try String.fetchOne(
                database,
                sql: "SELECT user FROM registration WHERE id = ?",
                arguments: [registration.id]
            )
            try Self.abandonWrites(database)
            try database.execute(
                sql: "DELETE FROM writing WHERE id = ?",
                arguments: [registration.id]
            )
            return owner == registration.user.text
        }
    }

    /// Notes for deletion what was written for users who have left, and forgets what cannot arrive
    /// any more.
    func sweepWrites(now: Int64) async throws {
        let hasAny = try await pool.read { database in
            try Row.fetchOne(database, sql: "SELECT 1 FROM writing LIMIT 1") != nil
        }
        guard hasAny else { return }
        try await pool.write { database in
            try Self.abandonWrites(database)
            try database.execute(sql: "DELETE FROM writing WHERE until <= ?", arguments: [now])
        }
    }

    private static func abandonWrites(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO departing (id) SELECT id FROM writing WHERE NOT EXISTS (
                    SELECT 1 FROM registration
                    WHERE registration.id = writing.id AND registration.user = writing.user);
                INSERT OR IGNORE INTO gone (user) SELECT user FROM writing
                    WHERE user NOT IN (SELECT name FROM user);
                """
        )
    }
}
