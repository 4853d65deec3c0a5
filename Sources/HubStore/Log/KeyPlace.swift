import GRDB

/// The record of an idempotency key, found by the first half of its scope.
///
/// The table is filled once, in order, when the slice is sealed; it says no more than keys do.
struct KeyPlace {
    var scope: UInt64
    var sequence: UInt64

    static let table = StoredTable<KeyPlace>(
        "key_place",
        of: "place of a key",
        [.integer("scope"), .integer("seq")],
        constraint: "PRIMARY KEY(scope, seq)",
        isWithoutRowID: true,
        hasChecksum: false,
        encode: { row in [.integer(row.scope), .integer(row.sequence)] },
        decode: { row in
            KeyPlace(scope: UInt64(bitPattern: row[0]), sequence: UInt64(bitPattern: row[1]))
        },
        audit: { row, _ in row[1] as Int64 > 0 }
    )
}
