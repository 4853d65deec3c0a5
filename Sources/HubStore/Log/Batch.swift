import GRDB
import HubModel
import HubVocabulary

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

    static let table = StoredTable<Batch>(
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
}
