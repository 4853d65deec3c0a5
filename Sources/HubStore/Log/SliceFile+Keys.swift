import Foundation
import GRDB
import HubModel
import HubVocabulary

/// The idempotency key of a record.
struct RecordKey {
    var sequence: UInt64
    var id: NotificationID
    var key: IdempotencyKey
    /// The scheduled notification that the record was.
    var schedule: ScheduleID?

    /// The key that is kept with a record; nil when it has none.
    init?(_ record: NotificationRecord) {
        guard let stored = record.storedKey else { return nil }
        sequence = record.sequence
        id = record.id
        key = stored.key
        schedule = record.schedule
    }

    /// Columns as the table has them.
    init(_ row: Row) throws {
        guard let id = NotificationID(stored: try row.bytes(at: 1)),
            let scope = KeyHash(stored: try row.bytes(at: 2)),
            let fingerprint = KeyHash(stored: try row.bytes(at: 3))
        else { throw RecordProblem.badField("key") }
        sequence = UInt64(bitPattern: row[0])
        self.id = id
        key = IdempotencyKey(scope: scope, fingerprint: fingerprint)
        schedule = ScheduleID(stored: try row.bytes(at: 4))
    }

    /// As the directory knows it.
    var stored: StoredKey {
        StoredKey(
            key: key,
            outcome: schedule.map { .scheduled($0) } ?? .sent(id, sequence: sequence),
            time: id.time
        )
    }
}

// One row beside each record that has a key, in the record's transaction; they go with the slice.
extension SliceFile {
    static let keyTable = StoredTable<RecordKey>(
        "idempotency",
        of: "idempotency key",
        [
            .integer("seq", "PRIMARY KEY"), .bytes("id"), .bytes("scope"), .bytes("fingerprint"),
            .bytes("schedule", ""),
        ],
        encode: { row in
            [
                .integer(row.sequence), .bytes(row.id.stored), .bytes(row.key.scope.stored),
                .bytes(row.key.fingerprint.stored), row.schedule.map { .bytes($0.stored) } ?? .null,
            ]
        },
        decode: { row in try RecordKey(row) }
    )

    /// Filled once, in order, when the slice is sealed; says no more than keys do.
    static let keyPlaceTable = StoredTable<(scope: UInt64, sequence: UInt64)>(
        "key_place",
        of: "place of a key",
        [.integer("scope"), .integer("seq")],
        constraint: "PRIMARY KEY(scope, seq)",
        isWithoutRowID: true,
        hasChecksum: false,
        encode: { row in [.integer(row.scope), .integer(row.sequence)] },
        decode: { row in (UInt64(bitPattern: row[0]), UInt64(bitPattern: row[1])) },
        audit: { row, _ in row[1] as Int64 > 0 }
    )

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
            let table = SliceFile.keyTable
            let rows = try Row.fetchCursor(
                table.statement("ORDER BY seq DESC LIMIT ?", in: database),
                arguments: [Int64(clamping: limit)]
            )
            var found: [StoredKey] = []
            while let row = try rows.next() {
                let key = try table.read(row, path: path).stored
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
            return try SliceFile.keyTable.first(
                "WHERE \(condition) ORDER BY seq DESC LIMIT 1",
                start + [Data(scope.stored)],
                in: database,
                path: path
            )?.stored
        }
    }
}
