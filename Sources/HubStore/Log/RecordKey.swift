import GRDB
import HubModel
import HubVocabulary

/// The idempotency key of a record: one row beside each that has one, in its transaction.
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

    static let table = StoredTable<RecordKey>(
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
}
