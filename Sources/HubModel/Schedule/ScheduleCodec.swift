package import HubVocabulary

/// A scheduled notification as the store keeps it, without its id; reads exactly what it writes.
///
///     | format: u8 = 1 | due: u64 | not after: u64, 0 for none | record: str32 |
///
/// *record* is that of `NotificationCodec` with the schedule's id in place of the notification's.
/// Integers are big-endian, times milliseconds since 1970.
package enum ScheduleCodec {
    /// The first byte of what is written.
    package static let format: UInt8 = 1

    /// The bytes of a scheduled notification.
    package static func encode(_ schedule: ScheduledNotification) -> [UInt8] {
        let record = NotificationRecord(
            sequence: 0,
            id: NotificationID(high: schedule.id.high, low: schedule.id.low),
            draft: schedule.draft
        )
        var writer = RecordWriter(format: format, capacity: 160 + schedule.draft.body.count)
        writer.integer(schedule.due.milliseconds)
        writer.integer(schedule.notAfter?.milliseconds ?? 0)
        writer.long(NotificationCodec.encode(record))
        return writer.bytes
    }

    /// The scheduled notification of some bytes.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func decode(
        _ bytes: Span<UInt8>
    ) throws(RecordProblem) -> ScheduledNotification {
        var reader = try RecordReader(bytes, format: format)
        let due = try reader.integer(UInt64.self)
        let notAfter = try reader.integer(UInt64.self)
        let stored = try reader.long()
        try reader.expectEnd()
        let record = try NotificationCodec.decode(stored.span, sequence: 0)
        return ScheduledNotification(
            id: ScheduleID(high: record.id.high, low: record.id.low),
            due: Timestamp(milliseconds: due),
            notAfter: notAfter == 0 ? nil : Timestamp(milliseconds: notAfter),
            draft: record.draft
        )
    }
}
