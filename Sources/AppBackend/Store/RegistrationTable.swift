import Foundation
import GRDB

// Which registrations are whose.
extension BackendStore {
    func registration(id: String) async throws -> OwnedRegistration? {
        try await pool.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT id, user, handle FROM registration WHERE id = ?",
                arguments: [id]
            ).map(Self.registration)
        }
    }

    func registrations(handle: String) async throws -> [OwnedRegistration] {
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

    /// Whether the registration with an id is being deleted because its user left.
    func isDeparting(id: String) async throws -> Bool {
        try await pool.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT 1 FROM departing WHERE id = ?",
                arguments: [id]
            ) != nil
        }
    }

    /// Notes whose a registration is, before the hub hears of it; false when the user has as many
    /// as there can be.
    ///
    /// With a platform it is being written until it is settled; without one its id is only
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
                try Self.noteWrite(database, of: registration, until: until)
            }
            return true
        }
    }

    /// Forgets ids that were reserved and never used, the oldest ones of a user first.
    func forgetReserved(of user: UserName, limits: BackendLimits) async throws {
        try await pool.write { database in
            try database.execute(
                sql: """
                    DELETE FROM registration WHERE id IN (
                        SELECT id FROM registration WHERE user = ? AND platform IS NULL
                        ORDER BY changed DESC, rowid DESC LIMIT -1 OFFSET ?)
                    """,
                arguments: [user.text, limits.registrations.perUserMax / 2]
            )
        }
    }

    /// The ids of a user's registrations, the one that was written longest ago first.
    func registrationIDs(of user: UserName) async throws -> [String] {
        try await pool.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT id FROM registration WHERE user = ? ORDER BY changed, rowid",
                arguments: [user.text]
            )
        }
    }

    func forget(registration id: String) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "DELETE FROM registration WHERE id = ?",
                arguments: [id]
            )
        }
    }

    // MARK: Those who left

    /// Whether the hub still has to forget anything.
    func hasDepartures(now: Int64) async throws -> Bool {
        try await sweepWrites(now: now)
        let (registrations, users) = try await departures()
        return !registrations.isEmpty || !users.isEmpty
    }

    /// Registrations and users that the hub still has to forget.
    func departures() async throws -> (registrations: [String], users: [UserName]) {
        try await pool.read { database in
            (
                try String.fetchAll(database, sql: "SELECT id FROM departing ORDER BY id"),
                try String.fetchAll(database, sql: "SELECT user FROM gone ORDER BY user")
                    .map(UserName.init(stored:))
            )
        }
    }

    /// The hub has forgotten a registration.
    func departed(registration id: String) async throws {
        try await pool.write { database in
            try database.execute(sql: "DELETE FROM departing WHERE id = ?", arguments: [id])
        }
    }

    /// The hub knows no registration with a user's name any more.
    func departed(user: UserName) async throws {
        try await pool.write { database in
            try database.execute(sql: "DELETE FROM gone WHERE user = ?", arguments: [user.text])
        }
    }
}
