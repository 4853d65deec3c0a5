package import HubModel
package import HubVocabulary

/// Records and changes of a group, as a database and links between nodes carry them.
///
///     records | format: u8 = 1 | count: u32 | check below: u32 | check: u32
///             | n x ( record: str32 | parts: u8 | [schedule: u64 u64] | [key: 4 x u64] )
///     changes | format: u8 = 1 | count: u32 | check: u32 | n x ( kind: u8 | value )
///
/// A record is that of `NotificationCodec`. *parts* says which of the bracketed ones are there: 1
/// schedule, 2 key, its scope before its fingerprint. *check below* is the check value of the record
/// before the first, *check* that of the last, or of the head before changes. Values of changes are those of the codecs that the
/// store uses, as str32. Integers are big-endian.
package enum GroupCodec {
    /// The first byte of what is written.
    package static let format: UInt8 = 1

    static let hasSchedule: UInt8 = 1
    static let hasKey: UInt8 = 2

    // MARK: Records

    /// The bytes of records, which ascend without holes; `checkBelow` is that of the one before.
    package static func encode(_ records: [NotificationRecord], checkBelow: UInt32) -> [UInt8] {
        let bodies = records.reduce(0) { $0 + $1.draft.body.count + 192 }
        var writer = RecordWriter(format: format, capacity: bodies)
        writer.integer(UInt32(records.count))
        writer.integer(checkBelow)
        writer.integer(records.last?.id.check ?? checkBelow)
        for record in records {
            writer.long(NotificationCodec.encode(record))
            let key = record.draft.idempotency
            writer.integer((record.schedule == nil ? 0 : hasSchedule) | (key == nil ? 0 : hasKey))
            if let schedule = record.schedule { writer.id(schedule.high, schedule.low) }
            if let key { writer.key(key) }
        }
        return writer.bytes
    }

    /// The records of some bytes, the first at a place.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func records(
        in bytes: Span<UInt8>,
        from first: UInt64
    ) throws(RecordProblem) -> [NotificationRecord] {
        var reader = try RecordReader(bytes, format: format)
        let front = try RecordsFront(from: &reader)
        guard first > 0, UInt64.max - first > UInt64(front.count) else {
            throw .badField("first")
        }
        var records: [NotificationRecord] = []
        for offset in 0..<front.count {
            records.append(try record(from: &reader, at: first + UInt64(offset)))
        }
        try reader.expectEnd()
        guard front.check == records.last?.id.check ?? front.checkBelow else {
            throw .badField("check")
        }
        return records
    }

    private static func record(
        from reader: inout RecordReader,
        at sequence: UInt64
    ) throws(RecordProblem) -> NotificationRecord {
        let stored = try reader.long()
        let read = try NotificationCodec.decode(stored.span, sequence: sequence)
        let parts = try reader.integer(UInt8.self)
        guard parts <= hasSchedule | hasKey else { throw .badField("parts") }
        var draft = read.draft
        var schedule: ScheduleID?
        if parts & hasSchedule != 0 {
            let high = try reader.integer(UInt64.self)
            schedule = ScheduleID(high: high, low: try reader.integer())
        }
        if parts & hasKey != 0 { draft.idempotency = try reader.key() }
        return NotificationRecord(
            sequence: sequence,
            id: read.id,
            draft: draft,
            schedule: schedule,
            anchors: read.anchors
        )
    }
}
