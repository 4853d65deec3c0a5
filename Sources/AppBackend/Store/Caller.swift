import Foundation
import GRDB

/// Who asks, and by what the backend knows it.
///
/// A request can be held open for minutes, so what it writes is written only when its proof holds
/// in the same transaction.
struct Caller: Equatable, Sendable {
    let user: UserName
    /// Of the user when the request was let in; another one after a logout or a new password.
    let generation: Int64
    /// The stored hash of the access token; nil when the caller gave a password.
    var accessToken: Data?

    /// Refuses a caller whose login has ended meanwhile.
    /// - Throws: `BackendRefusal` 401.
    func requireLogin(_ database: Database, now: Int64) throws {
        let generation = try Int64.fetchOne(
            database,
            sql: "SELECT generation FROM user WHERE name = ?",
            arguments: [user.text]
        )
        guard generation == self.generation else { throw BackendRefusal.unauthorized }
        guard let accessToken else { return }
        let session = try Row.fetchOne(
            database,
            sql: "SELECT 1 FROM session WHERE hash = ? AND user = ? AND expires > ?",
            arguments: [accessToken, user.text, now]
        )
        guard session != nil else { throw BackendRefusal.unauthorized }
    }
}
