import GRDB
import HubModel
import HubVocabulary

/// A row of `epoch`: where it begins, and the check value below.
struct EpochRow: Hashable, Sendable {
    var place: LogPlace
    var checkBelow: UInt32

    static let table = StoredTable<EpochRow>(
        "epoch",
        of: "epoch",
        [.integer("first", "PRIMARY KEY"), .integer("epoch"), .integer("check_below")],
        hasChecksum: false,
        encode: { row in
            [
                .integer(row.place.sequence), .integer(row.place.epoch),
                .integer(UInt64(row.checkBelow)),
            ]
        },
        decode: { row in
            EpochRow(
                place: LogPlace(
                    epoch: UInt64(bitPattern: row[1]),
                    sequence: UInt64(bitPattern: row[0])
                ),
                checkBelow: UInt32(truncatingIfNeeded: row[2] as Int64)
            )
        },
        audit: { row, read in
            row[0] as Int64 > 0 && read.place.epoch != 0 && row[2] as Int64 >> 32 == 0
        }
    )

    /// All rows, ascending.
    ///
    /// - Throws: `.corrupted` for an epoch of 0, which means none, and for one that begins at 0.
    static func all(_ database: Database, path: String) throws -> [EpochRow] {
        var found: [EpochRow] = []
        try table.forEach("ORDER BY first", in: database, path: path) { row in
            let place = row.place
            guard place.epoch != 0, place.sequence != 0 else {
                throw StoreError.corrupted("\(path): epoch \(place.epoch) from \(place.sequence)")
            }
            found.append(row)
        }
        return found
    }
}
