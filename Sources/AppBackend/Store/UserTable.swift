import Foundation
import GRDB

/// The table of users and their passwords.
struct UserTable: Sendable {
    let pool: DatabasePool

    /// Returns a user's stored password; nil when there is no such user.
    func password(of user: UserName) async throws -> StoredPassword? {
        try await pool.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT hash, generation FROM user WHERE name = ?",
                arguments: [user.text]
            ).map { StoredPassword(hash: $0["hash"], generation: $0["generation"]) }
        }
    }

    /// Whether there is such a user.
    func contains(_ user: UserName) async throws -> Bool { try await password(of: user) != nil }

    /// Adds a user.
    /// - Throws: `.userExists`, `.tooManyUsers`.
    func add(_ user: UserName, hash: PasswordHash, usersMax: Int, now: Int64) throws {
        try pool.write { database in
            let isLeaving = try Row.fetchOne(
                database,
                sql: """
                    SELECT 1 FROM gone WHERE user = ? UNION ALL
                    SELECT 1 FROM writing WHERE user = ?
                    """,
                arguments: [user.text, user.text]
            )
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM user") ?? 0
            guard count < usersMax else { throw BackendError.tooManyUsers(count) }
            guard isLeaving == nil else { throw BackendError.userExists(name: user.text) }
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO user (name, hash, created, generation)
                        VALUES (?, ?, ?, ?)
                    """,
                // Another one than that of a removed user of the name.
                arguments: [user.text, hash.text, now, Int64.random(in: 0...Int64.max / 2)]
            )
            guard database.changesCount == 1 else {
                throw BackendError.userExists(name: user.text)
            }
        }
    }

    /// Gives a user another password and ends all their access tokens; their registrations are to
    /// be deleted.
    /// - Throws: `.userUnknown`.
    func setPassword(of user: UserName, _ hash: PasswordHash) throws {
        try pool.write { database in
            try database.execute(
                sql: "UPDATE user SET hash = ? WHERE name = ?",
                arguments: [hash.text, user.text]
            )
            guard database.changesCount == 1 else {
                throw BackendError.userUnknown(name: user.text)
            }
            try Self.endLogins(database, of: user)
        }
    }

    /// Removes a user: from now on they cannot log in, and their registrations are to be deleted.
    /// - Throws: `.userUnknown`.
    func remove(_ user: UserName) throws {
        try pool.write { database in
            try DeletionTable.depart(database, user)
            try database.execute(
                sql: "INSERT OR IGNORE INTO gone (user) VALUES (?)",
                arguments: [user.text]
            )
            try database.execute(
                sql: "DELETE FROM user WHERE name = ?",
                arguments: [user.text]
            )
            guard database.changesCount == 1 else {
                throw BackendError.userUnknown(name: user.text)
            }
        }
    }

    /// Ends a user's access tokens; returns their registrations, which are to be deleted.
    /// - Throws: `BackendRefusal` 401 when the caller's login has ended already.
    func logOut(_ caller: Caller, now: Int64) async throws -> [String] {
        try await pool.write { database in
            try caller.requireLogin(database, now: now)
            let registrations = try String.fetchAll(
                database,
                sql: "SELECT id FROM registration WHERE user = ? ORDER BY id",
                arguments: [caller.user.text]
            )
            try Self.endLogins(database, of: caller.user)
            return registrations
        }
    }

    /// Ends access tokens, registrations, and whatever was asked for before and is not written yet.
    private static func endLogins(_ database: Database, of user: UserName) throws {
        try DeletionTable.depart(database, user)
        try database.execute(sql: "DELETE FROM session WHERE user = ?", arguments: [user.text])
        try database.execute(
            sql: "UPDATE user SET generation = generation + 1 WHERE name = ?",
            arguments: [user.text]
        )
    }

    /// All users, by name.
    func all() throws -> [BackendUser] {
        try pool.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT name, created,
                        (SELECT count(*) FROM registration WHERE user = name) AS registrations
                    FROM user ORDER BY name
                    """
            ).map { row in
                BackendUser(
                    name: row["name"],
                    created: row["created"],
                    registrations: row["registrations"]
                )
            }
        }
    }
}
