import GRDB
import HubModel
import HubVocabulary

/// A slice's own extent and its copy of the log's: the one row of its table `slice`.
///
/// Values of the whole log only ever grow, and the highest value of all slices counts. So a slice
/// does no harm that turns up although making it had failed.
struct SliceRow: Equatable {
    /// The values of a slice that are final once it is sealed.
    struct End: Equatable {
        /// Its highest sequence number; below `first` when it has no records.
        var head: UInt64
        /// When its last record expires.
        var newestExpiry = Timestamp(milliseconds: 0)
        /// When its newest record was accepted.
        var newestTime = Timestamp(milliseconds: 0)
        /// Records that scheduled notifications became.
        var scheduled = 0
    }

    /// From 1; part of the file's name.
    var number: Int
    /// The lowest sequence number that it may hold.
    var first: UInt64
    /// The check value at `first - 1`.
    var checkBelow: UInt32
    /// The lowest sequence number that the log still holds.
    var logFirst: UInt64
    /// Records up to here are not delivered any more.
    var purged: UInt64 = 0
    /// Idempotency keys of records before are forgotten.
    var keysBefore = Timestamp(milliseconds: 0)
    /// nil until the slice is sealed.
    var end: End?

    static let table = StoredTable<SliceRow>(
        "slice",
        of: "what the slice knows of itself",
        [
            .one, .integer("number"), .integer("first"), .integer("check_below"),
            .integer("log_first"), .integer("purged"), .integer("keys_before"), .integer("sealed"),
            .integer("head"), .integer("newest_expiry"), .integer("newest_time"),
            .integer("scheduled"),
        ],
        encode: { row in row.integers.map { .integer($0) } },
        decode: { row in try SliceRow(row) }
    )

    /// All columns, in their order.
    private var integers: [UInt64] {
        [
            1, UInt64(number), first, UInt64(checkBelow), logFirst, purged,
            keysBefore.milliseconds, end == nil ? 0 : 1, end?.head ?? 0,
            end?.newestExpiry.milliseconds ?? 0, end?.newestTime.milliseconds ?? 0,
            UInt64(end?.scheduled ?? 0),
        ]
    }

    /// Reads the row of a file; nil when the file has no such table yet.
    static func read(_ database: Database, path: String) throws -> SliceRow? {
        guard try database.tableExists("slice") else { return nil }
        guard let read = try table.first("", in: database, path: path) else {
            throw StoreError.corrupted("\(path): what the slice knows of itself")
        }
        return read
    }

    /// Columns as the table has them.
    private init(_ row: Row) throws {
        let integers = (0..<12).map { UInt64(bitPattern: row[$0] as Int64) }
        guard integers[1] < 1 << 31, integers[3] < 1 << 32, integers[11] < 1 << 62 else {
            throw RecordProblem.badField("slice")
        }
        number = Int(integers[1])
        first = integers[2]
        checkBelow = UInt32(integers[3])
        logFirst = integers[4]
        purged = integers[5]
        keysBefore = Timestamp(milliseconds: integers[6])
        guard integers[7] == 1 else { return }
        end = End(
            head: integers[8],
            newestExpiry: Timestamp(milliseconds: integers[9]),
            newestTime: Timestamp(milliseconds: integers[10]),
            scheduled: Int(integers[11])
        )
    }

    init(number: Int, first: UInt64, checkBelow: UInt32, logFirst: UInt64) {
        self.number = number
        self.first = first
        self.checkBelow = checkBelow
        self.logFirst = logFirst
    }
}
