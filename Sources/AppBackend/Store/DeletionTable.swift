import Foundation
import GRDB

/// The tables of what the hub still has to forget: registrations whose users left, and users whose
/// name may be on registrations that are not known here.
struct DeletionTable: Sendable {
    let pool: DatabasePool

    /// Whether the registration with an id is being deleted because its user left.
    func contains(registration id: String) async throws -> Bool {
        try await pool.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT 1 FROM departing WHERE id = ?",
                arguments: [id]
            ) != nil
        }
    }

    /// Registrations and users that the hub still has to forget.
    func pending() async throws -> (registrations: [String], users: [UserName]) {
        try await pool.read { database in
            (
                try String.fetchAll(database, sql: "SELECT id FROM departing ORDER BY id"),
                try String.fetchAll(database, sql: "SELECT user FROM gone ORDER BY user")
                    .map(UserName.init(stored:))
            )
        }
    }

    /// The hub has forgotten a registration.
    func finish(registration id: String) async throws {
        try await pool.write { database in
            try database.execute(sql: "DELETE FROM departing WHERE id = ?", arguments: [id])
        }
    }

    /// The hub knows no registration with a user's name any more.
    func finish(user: UserName) async throws {
        try await pool.write { database in
            try database.execute(sql: "DELETE FROM gone WHERE user = ?", arguments: [user.text])
        }
    }

    /// Notes every registration of a user; in the transaction that lets the user go.
    static func depart(_ database: Database, _ user: UserName) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO departing (id) SELECT id FROM registration WHERE user = ?
                """,
            arguments: [user.text]
        )
        try database.execute(
            sql: "DELETE FROM registration WHERE user = ?",
            arguments: [user.text]
        )
    }
}
