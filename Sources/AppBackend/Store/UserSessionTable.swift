import Foundation
import GRDB

/// The table of access tokens, which the logins of users give.
struct UserSessionTable: Sendable {
    let pool: DatabasePool

    /// Keeps the hash of a new access token; the oldest of a user end beyond the limit.
    /// - Throws: `BackendRefusal` 401 when the caller's login has ended.
    func add(
        accessToken hash: Data,
        of caller: Caller,
        limits: BackendLimits.Users,
        now: Int64
    ) async throws {
        try await pool.write { database in
            try caller.requireLogin(database, now: now)
            let user = caller.user
            try database.execute(sql: "DELETE FROM session WHERE expires <= ?", arguments: [now])
            try database.execute(
                sql: "INSERT INTO session (hash, user, expires) VALUES (?, ?, ?)",
                arguments: [hash, user.text, now + limits.accessTokenSeconds]
            )
            try database.execute(
                sql: """
                    DELETE FROM session WHERE hash IN (
                        SELECT hash FROM session WHERE user = ?
                        ORDER BY expires DESC, rowid DESC LIMIT -1 OFFSET ?)
                    """,
                arguments: [user.text, limits.accessTokensMax]
            )
        }
    }

    /// Returns the caller whose access token this is; nil when no such token is valid now.
    func caller(accessToken hash: Data, now: Int64) async throws -> Caller? {
        try await pool.read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT name, generation FROM session JOIN user ON name = user
                    WHERE session.hash = ? AND expires > ?
                    """,
                arguments: [hash, now]
            ).map { row in
                Caller(
                    user: UserName(stored: row["name"]),
                    generation: row["generation"],
                    accessToken: hash
                )
            }
        }
    }

    /// Refuses a caller whose login has ended while the request was read.
    /// - Throws: `BackendRefusal` 401.
    func requireLogin(_ caller: Caller, now: Int64) async throws {
        try await pool.read { try caller.requireLogin($0, now: now) }
    }
}
