import GRDB
import HubModel
import HubVocabulary

/// A record as the log keeps it.
struct LogEntry {
    var sequence: UInt64
    var check: UInt32
    var body: [UInt8]
    /// The id of the scheduled notification that it was; empty for any other.
    var schedule: [UInt8]

    init(_ record: NotificationRecord) {
        sequence = record.sequence
        check = record.id.check
        body = NotificationCodec.encode(record)
        schedule = record.schedule?.stored ?? []
    }

    /// Columns as the table has them.
    init(_ row: Row) throws {
        sequence = UInt64(bitPattern: row[0])
        check = UInt32(truncatingIfNeeded: row[1] as Int64)
        body = try row.bytes(at: 2)
        schedule = try row.bytes(at: 3)
    }

    /// - Throws: `.corrupted` naming the place.
    func record(path: String) throws -> NotificationRecord {
        do {
            let record = try NotificationCodec.decode(body.span, sequence: sequence)
            return ScheduleID(stored: schedule).map(record.fired(by:)) ?? record
        } catch {
            throw StoreError.corrupted("\(path): record \(sequence)")
        }
    }

    /// - Throws: `.corrupted` naming the place.
    func header(path: String) throws -> RecordHeader {
        do {
            return try NotificationCodec.header(in: body.span, sequence: sequence)
        } catch {
            throw StoreError.corrupted("\(path): record \(sequence)")
        }
    }

    static let table = StoredTable<LogEntry>(
        "entry",
        of: "record",
        [
            .integer("seq", "PRIMARY KEY"), .integer("check_value"), .bytes("body"),
            .bytes("schedule", ""),
        ],
        indexes: """
            CREATE UNIQUE INDEX entry_schedule ON entry(schedule) WHERE schedule IS NOT NULL;
            """,
        isDense: true,
        encode: { entry in
            [
                .integer(entry.sequence), .integer(UInt64(entry.check)), .bytes(entry.body),
                entry.schedule.isEmpty ? .null : .bytes(entry.schedule),
            ]
        },
        decode: { row in try LogEntry(row) },
        audit: { row, entry in
            Int64(try entry.record(path: "").id.check) == row[1]
        }
    )
}
