import GRDB

/// A record that has an anchor.
///
/// The table is filled once, in order, when the slice is sealed; it says no more than groups do.
struct AnchorPlace {
    var anchor: UInt64
    var sequence: UInt64

    static let table = StoredTable<AnchorPlace>(
        "anchor",
        of: "list",
        [.integer("anchor"), .integer("seq")],
        constraint: "PRIMARY KEY(anchor, seq)",
        isWithoutRowID: true,
        hasChecksum: false,
        encode: { row in [.integer(row.anchor), .integer(row.sequence)] },
        decode: { row in
            AnchorPlace(anchor: UInt64(bitPattern: row[0]), sequence: UInt64(bitPattern: row[1]))
        },
        audit: { row, _ in row[1] as Int64 > 0 }
    )
}
