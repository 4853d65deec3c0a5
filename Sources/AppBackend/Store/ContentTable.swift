import Foundation
import GRDB
import Hummingbird

/// The tables of rich and secure content.
struct ContentTable: Sendable {
    let pool: DatabasePool

    private static let daySeconds: Int64 = 86_400

    /// Keeps content and gives it an id; `payload` makes what is stored of the id.
    ///
    /// A request that is known already gets the id that it has, and is not new.
    /// - Throws: `BackendRefusal` 401 when the caller's login has ended, 409 when the request's key
    ///   was used for something else, 429 beyond what a sender may give in a day, 507 when there
    ///   is no more room or no more ids.
    func add(
        _ content: NewContent,
        from caller: Caller,
        limits: BackendLimits.Content,
        now: Int64,
        payload: @escaping @Sendable (Int64) throws -> Data
    ) async throws -> (id: Int64, isNew: Bool) {
        try await pool.write { database in
            try caller.requireLogin(database, now: now)
            if let id = try Self.known(content, database) { return (id, false) }
            try Self.count(content, of: caller.user, limits, database, now: now)
            try Self.removeOld(database, limits, now: now)
            try Self.makeRoom(for: content, of: caller.user, limits, database)
            try database.execute(
                sql: """
                    INSERT INTO content (sender, recipient, is_secure, message, rich_type,
                        media_type, etag, bytes, request_key, request_digest, is_read, created)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
                    """,
                arguments: [
                    caller.user.text, content.recipient.text, content.isSecure, content.message,
                    content.richType, content.mediaType, content.etag, content.bytes,
                    content.identity?.key, content.identity?.digest, now,
                ]
            )
            let id = database.lastInsertedRowID
            guard id <= limits.idMax else {
                throw BackendRefusal(507, "there are no more numbers for content")
            }
            try database.execute(
                sql: "INSERT INTO payload (content, bytes) VALUES (?, ?)",
                arguments: [id, try payload(id)]
            )
            return (id, true)
        }
    }

    private static func known(
        _ content: NewContent,
        _ database: Database
    ) throws -> Int64? {
        guard let identity = content.identity else { return nil }
        let row = try Row.fetchOne(
            database,
            sql: "SELECT id, request_digest FROM content WHERE request_key = ?",
            arguments: [identity.key]
        )
        guard let row else { return nil }
        let digest: Data? = row["request_digest"]
        guard digest == identity.digest else {
            throw BackendRefusal(409, "the Idempotency-Key was used for something else")
        }
        return row["id"]
    }

    /// Counts what a sender gives in a day, whatever becomes of it.
    private static func count(
        _ content: NewContent,
        of sender: UserName,
        _ limits: BackendLimits.Content,
        _ database: Database,
        now: Int64
    ) throws {
        let day = now / daySeconds
        try database.execute(sql: "DELETE FROM posted WHERE day < ?", arguments: [day])
        try database.execute(
            sql: """
                INSERT INTO posted (sender, day, pieces, bytes) VALUES (?, ?, 1, ?)
                ON CONFLICT (sender, day) DO UPDATE
                    SET pieces = pieces + 1, bytes = bytes + excluded.bytes
                """,
            arguments: [sender.text, day, content.bytes]
        )
        let row = try Row.fetchOne(
            database,
            sql: "SELECT pieces, bytes FROM posted WHERE sender = ? AND day = ?",
            arguments: [sender.text, day]
        )
        let (pieces, bytes): (Int, Int64) = (row?["pieces"] ?? 0, row?["bytes"] ?? 0)
        guard pieces <= limits.perDayMax, bytes <= limits.bytesPerDayMax else {
            throw BackendRefusal(
                429,
                "a user can give \(limits.perDayMax) pieces of content and "
                    + "\(limits.bytesPerDayMax) bytes in a day",
                headers: [.retryAfter: "\((day + 1) * daySeconds - now)"]
            )
        }
    }

    /// Removes content of the same sender for the same user first, then content that is read.
    ///
    /// Unread content of other senders always stays.
    private static func makeRoom(
        for content: NewContent,
        of sender: UserName,
        _ limits: BackendLimits.Content,
        _ database: Database
    ) throws {
        let bytes = Int64(content.bytes)
        let recipient = content.recipient.text
        var (pieces, sum) = try tally(recipient, sender.text, database)
        while pieces + 1 > limits.perPairMax
            || sum + bytes > limits.bytesPerPairMax
        {
            let isRemoved = try removeOldest(
                "recipient = ? AND sender = ?",
                [recipient, sender.text],
                database
            )
            guard isRemoved else {
                throw BackendRefusal(413, "the payload is larger than what is kept for a user")
            }
            (pieces, sum) = try tally(recipient, sender.text, database)
        }
        var all = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM content WHERE recipient = ?",
            arguments: [recipient]
        )
        while (all ?? 0) + 1 > limits.perUserMax {
            let isRemoved = try removeOldest(
                "recipient = ? AND (is_read = 1 OR sender = ?)",
                [recipient, sender.text],
                database
            )
            guard isRemoved else {
                throw BackendRefusal(507, "too much content waits for that user")
            }
            all = (all ?? 0) - 1
        }
        let whole = try Int64.fetchOne(database, sql: "SELECT bytes FROM content_sum") ?? 0
        guard whole + bytes <= limits.bytesMax else {
            throw BackendRefusal(507, "there is no more room for content")
        }
    }

    private static func tally(
        _ recipient: String,
        _ sender: String,
        _ database: Database
    ) throws -> (pieces: Int, bytes: Int64) {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT count(*) AS pieces, coalesce(sum(bytes), 0) AS bytes FROM content
                WHERE recipient = ? AND sender = ?
                """,
            arguments: [recipient, sender]
        )
        return (row?["pieces"] ?? 0, row?["bytes"] ?? 0)
    }

    private static func removeOldest(
        _ condition: String,
        _ arguments: StatementArguments,
        _ database: Database
    ) throws -> Bool {
        try database.execute(
            sql: """
                DELETE FROM content WHERE id = (
                    SELECT min(id) FROM content WHERE \(condition))
                """,
            arguments: arguments
        )
        return database.changesCount == 1
    }

    private static func removeOld(
        _ database: Database,
        _ limits: BackendLimits.Content,
        now: Int64
    ) throws {
        try database.execute(
            sql: "DELETE FROM content WHERE created < ?",
            arguments: [now - Int64(limits.daysMax) * daySeconds]
        )
    }

    /// Removes content that is too old.
    func purge(limits: BackendLimits.Content, now: Int64) async throws {
        try await pool.write { try Self.removeOld($0, limits, now: now) }
    }

    /// A piece of content; nil when there is none, or it is too old.
    func find(id: Int64, limits: BackendLimits.Content, now: Int64) async throws -> StoredContent? {
        try await pool.read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT content.*, length(payload.bytes) AS size FROM content
                    JOIN payload ON payload.content = id WHERE id = ? AND created >= ?
                    """,
                arguments: [id, now - Int64(limits.daysMax) * Self.daySeconds]
            ).map { row in
                StoredContent(
                    id: row["id"],
                    recipient: UserName(stored: row["recipient"]),
                    isSecure: row["is_secure"],
                    message: row["message"],
                    richType: row["rich_type"],
                    mediaType: row["media_type"],
                    payloadBytes: row["size"],
                    etag: row["etag"],
                    isRead: row["is_read"]
                )
            }
        }
    }

    /// A part of what is stored of content; nil when it is gone.
    func payload(of id: Int64, _ part: Range<Int>) async throws -> Data? {
        try await pool.read { database in
            try Data.fetchOne(
                database,
                sql: "SELECT substr(bytes, ?, ?) FROM payload WHERE content = ?",
                arguments: [part.lowerBound + 1, part.count, id]
            )
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

    /// Takes content back when the hub has refused the notification about it.
    func remove(id: Int64) async throws {
        try await pool.write { database in
            try database.execute(sql: "DELETE FROM content WHERE id = ?", arguments: [id])
        }
    }

    /// How much content there is, counted and as the running sum says.
    func bytes() async throws -> (counted: Int64, sum: Int64) {
        try await pool.read { database in
            (
                try Int64.fetchOne(database, sql: "SELECT coalesce(sum(bytes), 0) FROM content")
                    ?? 0,
                try Int64.fetchOne(database, sql: "SELECT bytes FROM content_sum") ?? 0
            )
        }
    }
}
