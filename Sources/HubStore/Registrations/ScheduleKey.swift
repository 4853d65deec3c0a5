import GRDB
import HubModel
import HubVocabulary

/// The idempotency key with which a notification was scheduled.
struct ScheduleKey {
    var key: IdempotencyKey
    /// Says when.
    var id: ScheduleID

    /// As the directory knows it.
    var stored: StoredKey { StoredKey(key: key, outcome: .scheduled(id), time: id.time) }

    static let table = StoredTable<ScheduleKey>(
        "schedule_key",
        of: "key of a scheduled notification",
        [.bytes("scope", "PRIMARY KEY"), .bytes("fingerprint"), .bytes("id")],
        isWithoutRowID: true,
        indexes: "CREATE INDEX schedule_key_id ON schedule_key(id);",
        encode: { row in
            [
                .bytes(row.key.scope.stored), .bytes(row.key.fingerprint.stored),
                .bytes(row.id.stored),
            ]
        },
        decode: { row in
            guard let scope = KeyHash(stored: try row.bytes(at: 0)),
                let fingerprint = KeyHash(stored: try row.bytes(at: 1)),
                let id = ScheduleID(stored: try row.bytes(at: 2))
            else { throw RecordProblem.badField("key") }
            return ScheduleKey(key: IdempotencyKey(scope: scope, fingerprint: fingerprint), id: id)
        }
    )
}
