import Foundation
import GRDB

/// The table of registrations, which says whose each is.
struct UserRegistrationTable: Sendable {
    let pool: DatabasePool

    func find(id: String) async throws -> OwnedRegistration? {
        try await pool.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT id, user, handle FROM registration WHERE id = ?",
                arguments: [id]
            ).map(Self.registration)
        }
    }

    func all(handle: String) async throws -> [OwnedRegistration] {
        try await pool.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT id, user, handle FROM registration WHERE handle = ? ORDER BY id",
                arguments: [handle]
            ).map(Self.registration)
        }
    }

    private static func registration(_ row: Row) -> OwnedRegistration {
        OwnedRegistration(
            id: row["id"],
            user: UserName(stored: row["user"]),
            handle: row["handle"]
        )
    }

    /// Notes whose a registration is, before the hub hears of it; false when the user has as many
    /// as there can be.
    ///
    /// With a platform it is being written until the hub has answered; without one its id is only
    /// reserved. Another user's registration stays theirs until the hub has deleted it.
    /// - Throws: `BackendRefusal` 401 when the caller's login has ended, 410 when the id is
    ///   another user's.
    func keep(
        _ registration: OwnedRegistration,
        platform: String?,
        for caller: Caller,
        limits: BackendLimits,
        now: Int64
    ) async throws -> Bool {
        try await pool.write { database in
            try caller.requireLogin(database, now: now)
            let user = registration.user.text
            let owner = try String.fetchOne(
                database,
                sql: "SELECT user FROM registration WHERE id = ?",
                arguments: [registration.id]
            )
            guard owner == nil || owner == user else { throw BackendRefusal.registrationGone }
            let others = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM registration WHERE user = ? AND id <> ?",
                arguments: [user, registration.id]
            )
            guard (others ?? 0) < limits.registrations.perUserMax else { return false }
            try database.execute(
                sql: """
                    INSERT INTO registration (id, user, handle, platform, changed)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET handle = excluded.handle,
                        platform = coalesce(excluded.platform, platform),
                        changed = excluded.changed
                    """,
                arguments: [registration.id, user, registration.handle, platform, now]
            )
            if platform != nil {
                let until = now + limits.hub.patienceSeconds + limits.registrations.lateWriteSeconds
                try Self.beginWrite(database, of: registration, until: until)
            }
            return true
        }
    }

    /// Forgets ids that were reserved and never used, the oldest ones of a user first.
    func forgetReserved(of user: UserName, limits: BackendLimits.Registrations) async throws {
        try await pool.write { database in
            try database.execute(
                sql: """
                    DELETE FROM registration WHERE id IN (
                        SELECT id FROM registration WHERE user = ? AND platform IS NULL
                        ORDER BY changed DESC, rowid DESC LIMIT -1 OFFSET ?)
                    """,
                arguments: [user.text, limits.perUserMax / 2]
            )
        }
    }

    /// The ids of a user's registrations, the one that was written longest ago first.
    func ids(of user: UserName) async throws -> [String] {
        try await pool.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT id FROM registration WHERE user = ? ORDER BY changed, rowid",
                arguments: [user.text]
            )
        }
    }

    func forget(id: String) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "DELETE FROM registration WHERE id = ?",
                arguments: [id]
            )
        }
    }
}
