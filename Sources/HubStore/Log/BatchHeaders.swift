import GRDB
import HubModel
import HubVocabulary

/// What opening a log must know of each record of a group, in one row: when it expires and where it
/// is listed.
///
///     n x ( expires: u64 | u16 n x anchor: u64 )     in the order of the records; big-endian
struct BatchHeaders {
    /// One record of the group.
    struct Entry {
        var expires: Timestamp
        var anchors: [AnchorKey]
    }

    var entries: [Entry]

    init(_ records: [NotificationRecord]) {
        entries = records.map { Entry(expires: $0.expires, anchors: $0.anchors) }
    }

    /// Reads what `bytes` wrote; nil for anything else.
    init?(_ stored: [UInt8]) {
        entries = []
        var index = 0
        while index < stored.count {
            guard index + 10 <= stored.count else { return nil }
            let expires = Timestamp(milliseconds: stored.integer(at: index))
            let count = Int(stored[index + 8]) << 8 | Int(stored[index + 9])
            index += 10
            guard index + count * 8 <= stored.count else { return nil }
            let anchors = (0..<count).map { AnchorKey(raw: stored.integer(at: index + $0 * 8)) }
            index += count * 8
            entries.append(Entry(expires: expires, anchors: anchors))
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.reduce(0) { $0 + 10 + $1.anchors.count * 8 })
        for entry in entries {
            bytes.appendStored(entry.expires.milliseconds)
            let count = UInt16(entry.anchors.count)
            bytes.append(UInt8(count >> 8))
            bytes.append(UInt8(truncatingIfNeeded: count))
            for anchor in entry.anchors { bytes.appendStored(anchor.raw) }
        }
        return bytes
    }
}

/// A group of records, as far as opening the log must know it.
struct Batch {
    /// The place of its first record.
    var first: UInt64
    /// Bytes of its records.
    var bytes: Int
    /// When the last was accepted.
    var time: Timestamp
    var headers: BatchHeaders

    /// Describes records, which take so many bytes; nil when there are none.
    init?(_ records: [NotificationRecord], bytes: Int) {
        guard let first = records.first, let last = records.last else { return nil }
        self.first = first.sequence
        self.bytes = bytes
        time = last.id.time
        headers = BatchHeaders(records)
    }

    /// Columns as the table has them.
    init(_ row: Row) throws {
        guard let headers = BatchHeaders(try row.bytes(at: 3)) else {
            throw RecordProblem.badField("headers")
        }
        first = UInt64(bitPattern: row[0])
        bytes = Int(truncatingIfNeeded: row[1] as Int64)
        time = Timestamp(milliseconds: UInt64(bitPattern: row[2]))
        self.headers = headers
    }
}

extension SliceFile {
    static let batchTable = StoredTable<Batch>(
        "batch",
        of: "headers of record",
        [
            .integer("first", "PRIMARY KEY"), .integer("bytes"), .integer("time"),
            .bytes("headers"),
        ],
        encode: { batch in
            [
                .integer(batch.first), .integer(UInt64(batch.bytes)),
                .integer(batch.time.milliseconds), .bytes(batch.headers.bytes),
            ]
        },
        decode: { row in try Batch(row) }
    )

    /// Filled once, in order, when the slice is sealed; says no more than groups do.
    static let anchorTable = StoredTable<(anchor: UInt64, sequence: UInt64)>(
        "anchor",
        of: "list",
        [.integer("anchor"), .integer("seq")],
        constraint: "PRIMARY KEY(anchor, seq)",
        isWithoutRowID: true,
        hasChecksum: false,
        encode: { row in [.integer(row.anchor), .integer(row.sequence)] },
        decode: { row in (UInt64(bitPattern: row[0]), UInt64(bitPattern: row[1])) },
        audit: { row, _ in row[1] as Int64 > 0 }
    )
}
