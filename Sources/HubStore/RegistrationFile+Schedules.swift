import Foundation
import GRDB
import HubModel
import HubVocabulary

// Scheduled notifications, and the idempotency keys with which they were scheduled.
//
//     schedule(id, due, body, checksum)
//     schedule_cancelled(id, body, checksum)           for telemetry
//     schedule_key(scope, fingerprint, id, checksum)   stays when the schedule goes; `id` says when
extension RegistrationFile {
    static let cancelledTable = """
        CREATE TABLE schedule_cancelled(
            id BLOB PRIMARY KEY, body BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    static let scheduleTables = """
        CREATE TABLE schedule(
            id BLOB NOT NULL UNIQUE, due INTEGER NOT NULL, body BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        \(cancelledTable)
        CREATE TABLE schedule_key(
            scope BLOB PRIMARY KEY, fingerprint BLOB NOT NULL, id BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX schedule_key_id ON schedule_key(id);
        """

    /// Keeps a schedule and its key.
    static func put(_ schedule: ScheduledNotification, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO schedule(id, due, body, checksum) VALUES (?, ?, ?, ?)"
        )
        let id = schedule.id.stored
        let due = schedule.due.milliseconds
        let body = ScheduleCodec.encode(schedule)
        try statement.execute(
            arguments: [
                Data(id), Int64(bitPattern: due), Data(body), Checksum.of(due, bytes: id, body),
            ]
        )
        guard let key = schedule.storedKey?.key else { return }
        let insert = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO schedule_key(scope, fingerprint, id, checksum)
                VALUES (?, ?, ?, ?)
                """
        )
        let scope = key.scope.stored
        let fingerprint = key.fingerprint.stored
        try insert.execute(
            arguments: [
                Data(scope), Data(fingerprint), Data(id),
                Checksum.of(bytes: scope, fingerprint, id),
            ]
        )
    }

    /// Forgets a schedule, not its key.
    static func removeSchedule(_ id: ScheduleID, in database: Database) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM schedule WHERE id = ?")
        try statement.execute(arguments: [Data(id.stored)])
    }

    /// Moves a schedule to the cancelled ones.
    static func cancel(_ schedule: ScheduledNotification, in database: Database) throws {
        try removeSchedule(schedule.id, in: database)
        let statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO schedule_cancelled(id, body, checksum) VALUES (?, ?, ?)"
        )
        let id = schedule.id.stored
        let body = ScheduleCodec.encode(schedule)
        try statement.execute(arguments: [Data(id), Data(body), Checksum.of(0, bytes: id, body)])
    }

    /// Forgets a cancelled schedule.
    static func forgetSchedule(_ id: ScheduleID, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "DELETE FROM schedule_cancelled WHERE id = ?"
        )
        try statement.execute(arguments: [Data(id.stored)])
    }

    /// Calls `body` with every cancelled schedule, ascending by id.
    func forEachCancelled(_ body: (ScheduledNotification) -> Void) throws(StoreError) {
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT id, body, checksum FROM schedule_cancelled ORDER BY id"
            )
            while let row = try rows.next() {
                let id = try row.bytes(at: 0)
                let bytes = try row.bytes(at: 1)
                let checksum: Int64 = row[2]
                let place = StoreError.corrupted("\(file.path): cancelled notification")
                guard checksum == Checksum.of(0, bytes: id, bytes) else { throw place }
                do {
                    body(try ScheduleCodec.decode(bytes.span))
                } catch { throw place }
            }
        }
    }

    /// Calls `body` with every schedule, in the order in which they fire.
    func forEachSchedule(
        _ body: (ScheduledNotification) throws -> Void
    ) throws(StoreError) {
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT id, due, body, checksum FROM schedule ORDER BY due, id"
            )
            while let row = try rows.next() {
                let id = try row.bytes(at: 0)
                let due = UInt64(bitPattern: row[1])
                let bytes = try row.bytes(at: 2)
                let checksum: Int64 = row[3]
                let place = StoreError.corrupted("\(file.path): scheduled notification")
                guard checksum == Checksum.of(due, bytes: id, bytes) else { throw place }
                let schedule: ScheduledNotification
                do {
                    schedule = try ScheduleCodec.decode(bytes.span)
                } catch { throw place }
                try body(schedule)
            }
        }
    }

    /// The newest keys, ascending.
    func newestKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT scope, fingerprint, id, checksum FROM schedule_key
                    ORDER BY id DESC LIMIT ?
                    """,
                arguments: [Int64(clamping: limit)]
            )
            var found: [StoredKey] = []
            while let row = try rows.next() { found.append(try key(row)) }
            return found.reversed()
        }
    }

    /// The schedule that was made with a key; nil when there is none.
    func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        try file.accessing { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT scope, fingerprint, id, checksum FROM schedule_key WHERE scope = ?
                        """
                ),
                arguments: [Data(scope.stored)]
            )
            return try row.map(key)
        }
    }

    /// Removes keys of schedules made before a time, the oldest first; whether there may be more.
    func forgetKeys(before time: Timestamp, limit: Int) throws(StoreError) -> Bool {
        // Ids begin with the time.
        let end = Data([UInt8](high: time.milliseconds << 16, low: 0))
        let count = try file.accessing { database in
            try Int.fetchOne(
                database,
                sql:
                    "SELECT count(*) FROM (SELECT 1 FROM schedule_key WHERE id < ? LIMIT \(limit))",
                arguments: [end]
            ) ?? 0
        }
        guard count > 0 else { return false }
        try file.writing { database in
            try database.execute(
                sql: """
                    DELETE FROM schedule_key WHERE scope IN (
                        SELECT scope FROM schedule_key WHERE id < ? ORDER BY id LIMIT \(limit)
                    )
                    """,
                arguments: [end]
            )
        }
        return count == limit
    }

    private func key(_ row: Row) throws -> StoredKey {
        let scope = try row.bytes(at: 0)
        let fingerprint = try row.bytes(at: 1)
        let id = try row.bytes(at: 2)
        let checksum: Int64 = row[3]
        guard checksum == Checksum.of(bytes: scope, fingerprint, id),
            let scope = KeyHash(stored: scope), let fingerprint = KeyHash(stored: fingerprint),
            let id = ScheduleID(stored: id)
        else { throw StoreError.corrupted("\(file.path): key of a scheduled notification") }
        return StoredKey(
            key: IdempotencyKey(scope: scope, fingerprint: fingerprint),
            outcome: .scheduled(id),
            time: id.time
        )
    }
}
