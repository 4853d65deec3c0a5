import Foundation
import GRDB
import HubModel
import HubVocabulary

// Idempotency keys of records: one row beside each record that has one, in the record's
// transaction; they go with the slice.
extension SliceFile {
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

    /// Makes looking for a key cheap; done only once keys no longer fit into memory, because every
    /// record with a key costs more from then on.
    func indexKeys() throws(StoreError) {
        try file.writing { database in
            try database.execute(
                sql: "CREATE INDEX IF NOT EXISTS idempotency_scope ON idempotency(scope)"
            )
        }
    }
}

extension FileReader {
    /// The newest keys of records that were not accepted before a time, ascending.
    func newestKeys(limit: Int, from time: Timestamp) throws(StoreError) -> [StoredKey] {
        try reading { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT seq, id, scope, fingerprint, schedule, checksum FROM idempotency
                    ORDER BY seq DESC LIMIT ?
                    """,
                arguments: [Int64(clamping: limit)]
            )
            var found: [StoredKey] = []
            while let row = try rows.next() {
                let key = try key(row)
                guard key.time >= time else { break }
                found.append(key)
            }
            return found.reversed()
        }
    }

    /// The newest record with a key; nil when there is none.
    ///
    /// A sealed slice has a table for this, another one an index.
    func key(_ scope: KeyHash, isSealed: Bool) throws(StoreError) -> StoredKey? {
        try reading { database in
            let condition =
                isSealed
                ? "seq IN (SELECT seq FROM key_place WHERE scope = ?) AND scope = ?" : "scope = ?"
            let start: StatementArguments = isSealed ? [Int64(bitPattern: scope.high)] : []
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT seq, id, scope, fingerprint, schedule, checksum FROM idempotency
                        WHERE \(condition) ORDER BY seq DESC LIMIT 1
                        """
                ),
                arguments: start + [Data(scope.stored)]
            )
            return try row.map(key)
        }
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
        else { throw StoreError.corrupted("\(path): idempotency key \(sequence)") }
        let notification = NotificationID(high: id.integer(at: 0), low: id.integer(at: 8))
        let scheduled = ScheduleID(stored: schedule)
        return StoredKey(
            key: IdempotencyKey(scope: scope, fingerprint: fingerprint),
            outcome: scheduled.map { .scheduled($0) } ?? .sent(notification, sequence: sequence),
            time: notification.time
        )
    }
}
