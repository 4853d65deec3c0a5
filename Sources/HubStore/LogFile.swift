import Foundation
import GRDB
import HubCore

/// The notification log: one row per record, and the epochs it went through.
///
///     entry(seq, check_value, body, schedule, checksum)   checksum over all before it
///     idempotency(seq, id, scope, fingerprint, schedule, checksum)   of the records that have one
///     epoch(first, epoch, check_below)          check_below: the check value at first - 1
///     meta(first)                               lowest sequence number still held
///
/// The head is the highest row, or the place just below the newest epoch where that is higher: an
/// epoch may begin above a lost piece of history.
struct LogFile: Sendable {
    /// The name of the first generation; more follow when the log is cut into slices.
    static let name = "log-000001.sqlite"
    /// Bigger pages make appending cheaper: records have some kilobytes.
    static let pageBytes = 16_384

    let file: SQLiteFile

    /// Opens or makes the file.
    init(path: String) throws(StoreError) {
        file = try SQLiteFile(path: path, pageBytes: Self.pageBytes, readers: 4) { database in
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
                    CREATE TABLE meta(
                        one INTEGER PRIMARY KEY CHECK (one = 1), first INTEGER NOT NULL
                    ) STRICT;
                    """
            )
        }
    }

    /// The log's extent; nil for a log without epoch, which is new.
    func bounds() throws(StoreError) -> LogBounds? {
        try file.accessing { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT epoch, first FROM epoch ORDER BY first"
            )
            let epochs = rows.map { row in
                LogPlace(epoch: UInt64(bitPattern: row[0]), sequence: UInt64(bitPattern: row[1]))
            }
            guard let newest = epochs.last else { return nil }
            let first = try Int64.fetchOne(database, sql: "SELECT first FROM meta") ?? 1
            let last = try Int64.fetchOne(database, sql: "SELECT max(seq) FROM entry") ?? 0
            return LogBounds(
                epoch: newest.epoch,
                first: UInt64(bitPattern: first),
                head: max(UInt64(bitPattern: last), newest.sequence - 1),
                epochs: epochs
            )
        }
    }

    /// Begins an epoch at `place`; `first` is set for a log without records.
    ///
    /// An epoch that began there and has no record is no more; a device that knows it starts again.
    func begin(_ place: LogPlace, checkBelow: UInt32, isEmpty: Bool) throws(StoreError) {
        try file.writing { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO epoch(first, epoch, check_below) VALUES (?, ?, ?)",
                arguments: [
                    Int64(bitPattern: place.sequence), Int64(bitPattern: place.epoch),
                    Int64(checkBelow),
                ]
            )
            guard isEmpty else { return }
            try database.execute(
                sql: "INSERT OR REPLACE INTO meta(one, first) VALUES (1, ?)",
                arguments: [Int64(bitPattern: place.sequence)]
            )
        }
    }

    /// Appends records as one transaction.
    func append(_ records: [NotificationRecord]) throws(StoreError) {
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
                try insert.execute(
                    arguments: [
                        Int64(bitPattern: record.sequence), Int64(check), Data(body),
                        schedule.map { Data($0) },
                        Checksum.of(record.sequence, UInt64(check), bytes: body, schedule ?? []),
                    ]
                )
                if let key = record.storedKey { try Self.insert(key, of: record, in: database) }
            }
        }
    }

    /// The place of the record that a scheduled notification became; nil when there is none.
    func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        try file.accessing { database in
            let row = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT seq FROM entry WHERE schedule = ?"),
                arguments: [Data(schedule.stored)]
            )
            return row.map(UInt64.init(bitPattern:))
        }
    }

    /// The check value at a place: 0 at sequence 0, nil when the log does not hold it.
    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        guard sequence > 0 else { return 0 }
        return try file.reading { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT seq, check_value, body, schedule, checksum FROM entry WHERE seq = ?
                        """
                ),
                arguments: [Int64(bitPattern: sequence)]
            )
            if let row { return try Entry(row, path: file.path).check }
            let below = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT check_below FROM epoch WHERE first = ?"),
                arguments: [Int64(bitPattern: sequence) &+ 1]
            )
            return below.map(UInt32.init(truncatingIfNeeded:))
        }
    }
}

extension LogFile: LogReading {
    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        try file.reading { database in
            var found: [NotificationRecord] = []
            var bytes = 0
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT seq, check_value, body, schedule, checksum FROM entry
                        WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?
                        """
                ),
                arguments: [
                    Int64(clamping: after), Int64(clamping: through), Int64(clamping: limit),
                ]
            )
            while let row = try rows.next() {
                let entry = try Entry(row, path: file.path)
                bytes += entry.body.count
                if bytes > bytesMax, !found.isEmpty { break }
                found.append(try entry.record(path: file.path))
            }
            return found
        }
    }
}

/// A row of the log whose checksum fits.
private struct Entry {
    var sequence: UInt64
    var check: UInt32
    var body: [UInt8]
    var schedule: [UInt8]

    /// - Throws: `.corrupted` naming the place.
    init(_ row: Row, path: String) throws {
        let stored: Int64 = row[0]
        sequence = UInt64(bitPattern: stored)
        let value: Int64 = row[1]
        check = UInt32(truncatingIfNeeded: value)
        body = try row.bytes(at: 2)
        schedule = try row.bytes(at: 3)
        let checksum: Int64 = row[4]
        let expected = Checksum.of(sequence, UInt64(bitPattern: value), bytes: body, schedule)
        guard checksum == expected else {
            throw StoreError.corrupted("\(path): record \(sequence)")
        }
    }

    func record(path: String) throws -> NotificationRecord {
        do {
            let record = try NotificationCodec.decode(body.span, sequence: sequence)
            return ScheduleID(stored: schedule).map(record.fired(by:)) ?? record
        } catch {
            throw StoreError.corrupted("\(path): record \(sequence)")
        }
    }
}

extension Row {
    /// The bytes of a blob column, copied.
    func bytes(at index: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: index) { data in data.map { [UInt8]($0) } ?? [] }
    }
}
