import Foundation
import GRDB
import HubCore

// Idempotency keys of records: one row beside each record that has one, in the record's
// transaction. Rows come in the order of the log and go in the same order.
extension LogFile {
    /// Rows that one call of `forgetKeys` removes at most: some milliseconds of work.
    static let forgottenMax = 8_192

    static let keyTable = """
        CREATE TABLE idempotency(
            seq INTEGER PRIMARY KEY, id BLOB NOT NULL, scope BLOB NOT NULL,
            fingerprint BLOB NOT NULL, schedule BLOB, checksum INTEGER NOT NULL
        ) STRICT;
        """

    /// Adds the key of a record.
    static func insert(_ key: StoredKey, of record: NotificationRecord, in database: Database)
        throws
    {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO idempotency(seq, id, scope, fingerprint, schedule, checksum)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        )
        let id = [UInt8](high: record.id.high, low: record.id.low)
        let scope = key.key.scope.stored
        let fingerprint = key.key.fingerprint.stored
        let schedule = record.schedule?.stored
        try statement.execute(
            arguments: [
                Int64(bitPattern: record.sequence), Data(id), Data(scope), Data(fingerprint),
                schedule.map { Data($0) },
                Checksum.of(record.sequence, bytes: id, scope, fingerprint, schedule ?? []),
            ]
        )
    }

    /// The newest keys, ascending.
    func newestKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT seq, id, scope, fingerprint, schedule, checksum FROM idempotency
                    ORDER BY seq DESC LIMIT ?
                    """,
                arguments: [Int64(clamping: limit)]
            )
            var found: [StoredKey] = []
            while let row = try rows.next() { found.append(try key(row)) }
            return found.reversed()
        }
    }

    /// Makes looking for a key cheap; done only once keys no longer fit into memory, because every
    /// record with a key costs more from then on.
    func indexKeys() throws(StoreError) {
        try file.writing { database in
            try database.execute(
                sql: "CREATE INDEX IF NOT EXISTS idempotency_scope ON idempotency(scope)"
            )
        }
    }

    /// The newest record with a key; nil when there is none.
    func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        try file.accessing { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT seq, id, scope, fingerprint, schedule, checksum FROM idempotency
                        WHERE scope = ? ORDER BY seq DESC LIMIT 1
                        """
                ),
                arguments: [Data(scope.stored)]
            )
            return try row.map(key)
        }
    }

    /// Removes keys of records before a time, the oldest first; whether there may be more.
    func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        let end: (last: Int64?, isFull: Bool) = try file.accessing { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT seq, id FROM idempotency ORDER BY seq LIMIT \(Self.forgottenMax)"
            )
            var last: Int64?
            var count = 0
            while let row = try rows.next() {
                let id = try row.bytes(at: 1)
                guard id.count == 16, id.integer(at: 0) >> 16 < time.milliseconds else {
                    return (last, false)
                }
                last = row[0]
                count += 1
            }
            return (last, count == Self.forgottenMax)
        }
        guard let last = end.last else { return false }
        try file.writing { database in
            try database.execute(
                sql: "DELETE FROM idempotency WHERE seq <= ?",
                arguments: [last]
            )
        }
        return end.isFull
    }

    private func key(_ row: Row) throws -> StoredKey {
        let sequence = UInt64(bitPattern: row[0])
        let id = try row.bytes(at: 1)
        let scope = try row.bytes(at: 2)
        let fingerprint = try row.bytes(at: 3)
        let schedule = try row.bytes(at: 4)
        let checksum: Int64 = row[5]
        guard checksum == Checksum.of(sequence, bytes: id, scope, fingerprint, schedule),
            id.count == 16, let scope = KeyHash(stored: scope),
            let fingerprint = KeyHash(stored: fingerprint)
        else { throw StoreError.corrupted("\(file.path): idempotency key \(sequence)") }
        let notification = NotificationID(high: id.integer(at: 0), low: id.integer(at: 8))
        let scheduled = ScheduleID(stored: schedule)
        return StoredKey(
            key: IdempotencyKey(scope: scope, fingerprint: fingerprint),
            outcome: scheduled.map { .scheduled($0) } ?? .sent(notification, sequence: sequence),
            time: notification.time
        )
    }
}

extension KeyHash {
    /// The 16 bytes.
    var stored: [UInt8] { [UInt8](high: high, low: low) }

    /// Reads 16 bytes; nil for any other number of them.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(high: bytes.integer(at: 0), low: bytes.integer(at: 8))
    }
}

extension ScheduleID {
    /// The 16 bytes.
    var stored: [UInt8] { [UInt8](high: high, low: low) }

    /// Reads 16 bytes; nil for any other number of them.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(high: bytes.integer(at: 0), low: bytes.integer(at: 8))
    }
}
