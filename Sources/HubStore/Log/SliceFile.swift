import Foundation
import GRDB
import HubModel
import HubVocabulary

/// One slice of the notification log while it is written to, or waits to be sealed.
///
///     entry(seq, check_value, body, schedule, checksum)   checksum over all before it
///     batch(first, bytes, time, headers, checksum)        one row a group: what opening needs
///     idempotency(seq, id, scope, fingerprint, schedule, checksum)   of the records that have one
///     epoch(first, epoch, check_below)          check_below: the check value at first - 1
///     anchor(anchor, seq), key_place(scope, seq)          filled once, in order, when it is sealed
///     slice(…)                                  see SliceRow
///
/// Every slice holds all epochs that there were when it was made.
struct SliceFile: Sendable {
    /// Bigger pages make appending cheaper: records have some kilobytes.
    static let pageBytes = 16_384
    static let prefix = "log-"

    static let indexTables = """
        CREATE TABLE batch(
            first INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, time INTEGER NOT NULL,
            headers BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE anchor(
            anchor INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(anchor, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE key_place(
            scope INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(scope, seq)
        ) STRICT, WITHOUT ROWID;
        \(SliceRow.table)
        """

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
        making row: SliceRow? = nil,
        epochs: [EpochRow] = []
    ) throws(StoreError) {
        file = try SQLiteFile(path: path, pageBytes: Self.pageBytes, readers: 4) { database in
            guard let row else { throw StoreError.corrupted("\(path): empty") }
            try Self.create(in: database)
            for epoch in epochs { try epoch.store(in: database) }
            try row.store(in: database)
        }
    }

    private static func create(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE entry(
                    seq INTEGER PRIMARY KEY, check_value INTEGER NOT NULL,
                    body BLOB NOT NULL, schedule BLOB, checksum INTEGER NOT NULL
                ) STRICT;
                CREATE UNIQUE INDEX entry_schedule ON entry(schedule)
                    WHERE schedule IS NOT NULL;
                \(Self.keyTable)
                CREATE TABLE epoch(
                    first INTEGER PRIMARY KEY, epoch INTEGER NOT NULL,
                    check_below INTEGER NOT NULL
                ) STRICT;
                \(Self.indexTables)
                """
        )
    }

    /// Appends records as one transaction; the bytes they take.
    func append(_ records: [NotificationRecord]) throws(StoreError) -> Int {
        var bytes = 0
        try file.writing { database in
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO entry(seq, check_value, body, schedule, checksum)
                    VALUES (?, ?, ?, ?, ?)
                    """
            )
            for record in records {
                let check = record.id.check
                let body = NotificationCodec.encode(record)
                let schedule = record.schedule?.stored
                bytes += body.count
                try insert.execute(
                    arguments: [
                        Int64(bitPattern: record.sequence), Int64(check), Data(body),
                        schedule.map { Data($0) },
                        Checksum.of(record.sequence, UInt64(check), bytes: body, schedule ?? []),
                    ]
                )
                if let key = record.storedKey { try Self.insert(key, of: record, in: database) }
            }
            try Self.insertBatch(records, bytes: bytes, in: database)
        }
        return bytes
    }

    /// Adds the headers of a group.
    static func insertBatch(
        _ records: [NotificationRecord],
        bytes: Int,
        in database: Database
    ) throws {
        guard let first = records.first, let last = records.last else { return }
        let headers = BatchHeaders(records).bytes
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO batch(first, bytes, time, headers, checksum) VALUES (?, ?, ?, ?, ?)
                """
        )
        let time = last.id.time.milliseconds
        try statement.execute(
            arguments: [
                Int64(bitPattern: first.sequence), Int64(bytes), Int64(bitPattern: time),
                Data(headers), Checksum.of(first.sequence, UInt64(bytes), time, bytes: headers),
            ]
        )
    }

    /// Writes what the slice knows of itself and the log.
    func store(_ row: SliceRow) throws(StoreError) {
        try file.writing { database in try row.store(in: database) }
    }
}

/// A row of `epoch`: where it begins, and the check value below.
struct EpochRow: Hashable, Sendable {
    var place: LogPlace
    var checkBelow: UInt32

    /// Adds the row.
    func store(in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO epoch(first, epoch, check_below) VALUES (?, ?, ?)",
            arguments: [
                Int64(bitPattern: place.sequence), Int64(bitPattern: place.epoch),
                Int64(checkBelow),
            ]
        )
    }

    /// All rows, ascending.
    ///
    /// - Throws: `.corrupted` for an epoch of 0, which means none, and for one that begins at 0.
    static func all(_ database: Database, path: String) throws -> [EpochRow] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT epoch, first, check_below FROM epoch ORDER BY first"
        )
        return try rows.map { row in
            let place = LogPlace(
                epoch: UInt64(bitPattern: row[0]),
                sequence: UInt64(bitPattern: row[1])
            )
            guard place.epoch != 0, place.sequence != 0 else {
                throw StoreError.corrupted("\(path): epoch \(place.epoch) from \(place.sequence)")
            }
            return EpochRow(
                place: place,
                checkBelow: UInt32(truncatingIfNeeded: row[2] as Int64)
            )
        }
    }
}
