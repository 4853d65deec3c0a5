import GRDB
import HubModel
import HubVocabulary

/// How one row of a table is recognised as what was written; columns as `SELECT *` gives them.
struct RowCheck: Sendable {
    /// Whether the first column must count up by one.
    var isDense = false
    /// Whether checksum and content fit.
    var isSound: @Sendable (Row) throws -> Bool

    /// By table; every table of every file has one.
    static let all: [String: RowCheck] = [
        "entry": RowCheck(isDense: true, isSound: entry),
        "epoch": RowCheck { row in
            (row[0] as Int64) > 0 && (row[1] as Int64) != 0 && isCheck(row[2])
        },
        "slice": RowCheck { row in SliceRow(row) != nil },
        "batch": RowCheck { row in
            let headers = try row.bytes(at: 3)
            let integers = (0..<3).map { UInt64(bitPattern: row[$0] as Int64) }
            let checksum = Checksum.of(integers[0], integers[1], integers[2], bytes: headers)
            return row[4] == checksum && BatchHeaders(headers) != nil
        },
        // Rows of these two say no more than rows that have a checksum, and are compared with them.
        "anchor": RowCheck { row in (row[1] as Int64) > 0 },
        "key_place": RowCheck { row in (row[1] as Int64) > 0 },
        "meta": RowCheck { row in
            guard row[0] as Int64 == 1 else { return false }
            // That of the state, or that of the registrations.
            if row.count == 3 { return (row[1] as Int64) >= 0 && (row[2] as Int64) >= 0 }
            return (row[1] as Int64) != 0 && (row[2] as Int64) >= 0 && isCheck(row[3])
                && UInt32(exactly: row[4] as Int64) != nil
        },
        "registration": RowCheck(isSound: registration),
        "device": RowCheck { row in
            let id = try row.bytes(at: 0)
            let generation: Int64 = row[1]
            return id.count == 16 && generation > 0
                && row[2] == Checksum.of(UInt64(generation), bytes: id)
        },
        "installation": RowCheck { row in
            let key = try row.bytes(at: 0)
            let body = try row.bytes(at: 1)
            guard row[2] == Checksum.of(0, bytes: key, body) else { return false }
            return try InstallationCodec.decode(body.span).key == key
        },
        "settings": RowCheck { row in
            let body = try row.bytes(at: 1)
            guard row[2] == Checksum.of(1, bytes: body) else { return false }
            return HubSettingsCodec.encode(try HubSettingsCodec.decode(body.span)) == body
        },
        "idempotency": RowCheck { row in
            let sequence = UInt64(bitPattern: row[0])
            let (id, scope) = (try row.bytes(at: 1), try row.bytes(at: 2))
            let (fingerprint, schedule) = (try row.bytes(at: 3), try row.bytes(at: 4))
            return row[5] == Checksum.of(sequence, bytes: id, scope, fingerprint, schedule)
        },
        "schedule": RowCheck { row in
            let id = try row.bytes(at: 0)
            let body = try row.bytes(at: 2)
            let due = UInt64(bitPattern: row[1])
            guard row[3] == Checksum.of(due, bytes: id, body) else { return false }
            return try ScheduleCodec.decode(body.span).due.milliseconds == due
        },
        "schedule_cancelled": RowCheck { row in
            let id = try row.bytes(at: 0)
            let body = try row.bytes(at: 1)
            guard row[2] == Checksum.of(0, bytes: id, body) else { return false }
            return try ScheduleCodec.decode(body.span).id.stored == id
        },
        "schedule_key": RowCheck { row in
            let (scope, fingerprint) = (try row.bytes(at: 0), try row.bytes(at: 1))
            return row[3] == Checksum.of(bytes: scope, fingerprint, try row.bytes(at: 2))
        },
        "departure": RowCheck(isDense: true) { row in
            let number = UInt64(bitPattern: row[0])
            let time = UInt64(bitPattern: row[1])
            let body = try row.bytes(at: 2)
            guard row[3] == Checksum.of(number, time, bytes: body) else { return false }
            let read = try DepartureCodec.decode(
                body.span,
                number: number,
                time: Timestamp(milliseconds: time)
            )
            return DepartureCodec.encode(read) == body
        },
        "job": RowCheck { row in
            let id = try row.bytes(at: 0)
            let body = try row.bytes(at: 1)
            guard row[2] == Checksum.of(0, bytes: id, body) else { return false }
            return Array(try JobCodec.decode(body.span).id.text.utf8) == id
        },
        "counter": RowCheck { row in
            let bytes = try row.bytes(at: 2)
            let sequence = UInt64(bitPattern: row[0])
            let platform = UInt64(bitPattern: row[1])
            return bytes.count == StoredCounts.bytes
                && row[3] == Checksum.of(sequence, platform, bytes: bytes)
        },
        "cursor_journal": RowCheck(isSound: cursors),
        "cursor_chunk": RowCheck(isSound: cursors),
    ]

    @Sendable private static func entry(_ row: Row) throws -> Bool {
        let sequence = UInt64(bitPattern: row[0])
        let check: Int64 = row[1]
        let body = try row.bytes(at: 2)
        let schedule = try row.bytes(at: 3)
        let expected = Checksum.of(
            sequence,
            UInt64(bitPattern: check),
            bytes: body,
            schedule
        )
        guard row[4] == expected else { return false }
        let record = try NotificationCodec.decode(body.span, sequence: sequence)
        return Int64(record.id.check) == check
    }

    @Sendable private static func registration(_ row: Row) throws -> Bool {
        let number: Int64 = row[0]
        let deleted: Int64 = row[5]
        let id = try row.bytes(at: 1)
        let body = try row.bytes(at: 6)
        let expected = Checksum.of(
            UInt64(bitPattern: number),
            UInt64(bitPattern: deleted),
            bytes: id,
            body
        )
        guard row[7] == expected else { return false }
        let read = try RegistrationCodec.decode(body.span)
        let (handle, device) = (try row.bytes(at: 2), try row.bytes(at: 3))
        let target = read.target.map { [UInt8](high: $0.device.high, low: $0.device.low) }
        let slot: Int64? = row[4]
        return Int64(read.number.raw) == number && read.id == id
            && handle == read.content.handle && device == target ?? []
            && slot == read.target.map { Int64($0.slot) }
    }

    private static func isCheck(_ value: Int64) -> Bool { UInt32(exactly: value) != nil }

    @Sendable private static func cursors(_ row: Row) throws -> Bool {
        let bytes = try row.bytes(at: 1)
        return bytes.count % CursorBytes.size == 0 && row[2] == Checksum.of(bytes: bytes)
    }
}
