import Foundation
import GRDB

/// A piece of content that waits for its addressee.
struct StoredContent: Equatable, Sendable {
    var id: Int64
    var recipient: UserName
    var isSecure: Bool
    /// Empty for secure content, where it is sealed with the payload.
    var message: String
    var richType: String
    var mediaType: String
    /// Sealed for secure content.
    var payload: Data
    var etag: String
    var isRead: Bool
}

/// Content as it comes from its sender.
struct NewContent: Sendable {
    var recipient: UserName
    var isSecure: Bool
    var message: String
    var richType: String
    var mediaType: String
    var etag: String
}

// Rich and secure content.
extension BackendStore {
    /// Keeps content and gives it an id; `payload` makes what is stored of the id.
    ///
    /// - Throws: `BackendRefusal` 507 when there are no more ids.
    func add(
        _ content: NewContent,
        limits: BackendLimits,
        now: Int64,
        payload: @escaping @Sendable (Int64) throws -> Data
    ) async throws -> Int64 {
        try await pool.write { database in
            try database.execute(
                sql: """
                    INSERT INTO content (recipient, is_secure, message, rich_type, media_type,
                        payload, etag, is_read, created) VALUES (?, ?, ?, ?, ?, x'', ?, 0, ?)
                    """,
                arguments: [
                    content.recipient.text, content.isSecure, content.message, content.richType,
                    content.mediaType, content.etag, now,
                ]
            )
            let id = database.lastInsertedRowID
            guard id <= limits.contentIDMax else {
                throw BackendRefusal(507, "there are no more numbers for content")
            }
            try database.execute(
                sql: "UPDATE content SET payload = ? WHERE id = ?",
                arguments: [try payload(id), id]
            )
            try database.execute(
                sql: """
                    DELETE FROM content WHERE created < ? OR (recipient = ? AND id IN (
                        SELECT id FROM content WHERE recipient = ?
                        ORDER BY id DESC LIMIT -1 OFFSET ?))
                    """,
                arguments: [
                    now - Int64(limits.contentDaysMax) * 86_400, content.recipient.text,
                    content.recipient.text, limits.contentPerUserMax,
                ]
            )
            return id
        }
    }

    func content(id: Int64) async throws -> StoredContent? {
        try await pool.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM content WHERE id = ?",
                arguments: [id]
            ).map { row in
                StoredContent(
                    id: row["id"],
                    recipient: UserName(stored: row["recipient"]),
                    isSecure: row["is_secure"],
                    message: row["message"],
                    richType: row["rich_type"],
                    mediaType: row["media_type"],
                    payload: row["payload"],
                    etag: row["etag"],
                    isRead: row["is_read"]
                )
            }
        }
    }

    /// The addressee has got it.
    func markRead(id: Int64) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "UPDATE content SET is_read = 1 WHERE id = ?",
                arguments: [id]
            )
        }
    }

    /// Nobody was told of it.
    func removeContent(id: Int64) async throws {
        try await pool.write { database in
            try database.execute(sql: "DELETE FROM content WHERE id = ?", arguments: [id])
        }
    }
}
