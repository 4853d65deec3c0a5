import GRDB
import HubModel

/// One slice of the notification log while it is written to, or waits to be sealed.
///
/// Every slice holds all epochs that there were when it was made.
struct SliceFile: Sendable {
    /// Bigger pages make appending cheaper: records have some kilobytes.
    static let pageBytes = 16_384
    static let prefix = "log-"

    /// Every table of the file.
    static let tables: [any AnyStoredTable] = [
        LogEntry.table, RecordKey.table, EpochRow.table, Batch.table, AnchorPlace.table,
        KeyPlace.table, SliceRow.table,
    ]

    let file: SQLiteFile

    /// A slice's file name.
    static func name(_ number: Int) -> String {
        let digits = String(number)
        return prefix + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".sqlite"
    }

    /// The number in a file's name; nil for other files.
    static func number(of name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(".sqlite"),
            let number = Int(name.dropFirst(prefix.count).dropLast(7)), number > 0,
            Self.name(number) == name
        else { return nil }
        return number
    }

    /// Opens a file that is there, or makes one that begins with `row` and these epochs.
    ///
    /// - Throws: `.corrupted` when a file that is to be opened is empty, and what opening throws.
    init(
        path: String,
        keeping: Durability,
        making row: SliceRow? = nil,
        epochs: [EpochRow] = []
    ) throws(StoreError) {
        file = try SQLiteFile(
            path: path,
            pageBytes: Self.pageBytes,
            readers: 4,
            keeping: keeping
        ) { database in
            guard let row else { throw StoreError.corrupted("\(path): empty") }
            for table in Self.tables { try database.execute(sql: table.creation) }
            for epoch in epochs { try EpochRow.table.insert(epoch, in: database) }
            try SliceRow.table.insert(row, in: database)
        }
    }

    /// Appends records as one transaction.
    ///
    /// - Returns: the group that they are; nil when there are none.
    func append(_ records: [NotificationRecord]) throws(StoreError) -> Batch? {
        var batch: Batch?
        try file.writing { database in
            var bytes = 0
            for record in records {
                let entry = LogEntry(record)
                bytes += entry.body.count
                try LogEntry.table.insert(entry, in: database)
                if let key = RecordKey(record) { try RecordKey.table.insert(key, in: database) }
            }
            batch = Batch(records, bytes: bytes)
            if let batch { try Batch.table.insert(batch, in: database) }
        }
        return batch
    }

    /// Writes what the slice knows of itself and the log.
    func store(_ row: SliceRow) throws(StoreError) {
        try file.writing { database in
            try SliceRow.table.insert(row, in: database, replacing: true)
        }
    }
}
