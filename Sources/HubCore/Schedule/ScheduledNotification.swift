/// One scheduled notification: 16 bytes in the form of a UUIDv7 that carry the time of its making.
package struct ScheduleID: Hashable, Comparable, Sendable {
    /// Bytes 0..7, big-endian: 48 bits of milliseconds, version, 12 random bits.
    package var high: UInt64
    /// Bytes 8..15, big-endian: variant and 62 random bits.
    package var low: UInt64

    /// Makes an id of its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new id that nobody can guess.
    static func make(now: Timestamp, random: inout some RandomNumberGenerator) -> ScheduleID {
        let time = now.milliseconds & 0xFFFF_FFFF_FFFF
        return ScheduleID(
            high: time << 16 | 0x7000 | random.next() & 0x0FFF,
            low: 0x8000_0000_0000_0000 | random.next() >> 2
        )
    }

    /// When it was scheduled.
    package var time: Timestamp { Timestamp(milliseconds: high >> 16) }

    /// 32 lower-case hex digits: how REST names it.
    package var text: String { NotificationID(high: high, low: low).text }

    /// Reads 32 hex digits in either case; nil when the text is anything else.
    package init?(text: String) {
        guard let id = NotificationID(text: text) else { return nil }
        self.init(high: id.high, low: id.low)
    }

    package static func < (left: ScheduleID, right: ScheduleID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// A place in the order in which scheduled notifications fire: by time, ties by id.
package struct SchedulePlace: Hashable, Comparable, Sendable {
    /// When it fires.
    package var due: Timestamp
    /// Which one.
    package var id: ScheduleID

    /// Makes a place.
    package init(due: Timestamp, id: ScheduleID) {
        self.due = due
        self.id = id
    }

    package static func < (left: SchedulePlace, right: SchedulePlace) -> Bool {
        (left.due, left.id) < (right.due, right.id)
    }
}

/// A send that passed every check and waits for its time; it takes its place in the log then.
///
/// Source: REST §11.
package struct ScheduledNotification: Sendable {
    /// Its name; the record that it becomes carries it.
    package let id: ScheduleID
    /// When it fires.
    package let due: Timestamp
    /// The time that the send named as its expiry; nil when it named none or only seconds, which
    /// count from firing.
    package let notAfter: Timestamp?
    /// What is sent.
    package let draft: NotificationDraft
    /// The property bag of a template send; nil for native ones.
    package let properties: PropertyBag?

    /// Makes a scheduled notification.
    package init(
        id: ScheduleID,
        due: Timestamp,
        notAfter: Timestamp? = nil,
        draft: NotificationDraft,
        properties: PropertyBag?
    ) {
        self.id = id
        self.due = due
        self.notAfter = notAfter
        self.draft = draft
        self.properties = properties
    }

    /// Its place among the others.
    package var place: SchedulePlace { SchedulePlace(due: due, id: id) }

    /// The idempotency key that is stored with it; nil when it has none.
    package var storedKey: StoredKey? {
        draft.idempotency.map { StoredKey(key: $0, outcome: .scheduled(id), time: id.time) }
    }

    /// What it weighs against `scheduleBytesMax`.
    var bytes: Int {
        let headers = draft.headers.reduce(0) { $0 + $1.name.count + $1.value.count }
        return 512 + draft.body.count + headers
    }

    /// What goes into the log at a time: an expiry that was named as a time does not move when the
    /// notification is late.
    ///
    /// Its idempotency key stays behind: it counts from when the notification was scheduled.
    func draft(firedAt now: Timestamp) -> NotificationDraft {
        var fired = draft
        fired.idempotency = nil
        guard let notAfter, case .seconds(let seconds) = draft.timeToLive else { return fired }
        guard notAfter > now else {
            fired.timeToLive = .transient
            return fired
        }
        let left = (notAfter.milliseconds - now.milliseconds + 999) / 1_000
        fired.timeToLive = .seconds(UInt32(min(UInt64(seconds), left)))
        return fired
    }
}

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
            draft: schedule.draft,
            properties: nil
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
        try decode(bytes) { stored throws(RecordProblem) in
            try NotificationCodec.decode(stored, sequence: 0)
        }
    }

    /// The scheduled notification of bytes that were written before records had anchors.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func decodeWithoutAnchors(
        _ bytes: Span<UInt8>
    ) throws(RecordProblem) -> ScheduledNotification {
        try decode(bytes) { stored throws(RecordProblem) in
            try NotificationCodec.decodeWithoutAnchors(stored, sequence: 0)
        }
    }

    private static func decode(
        _ bytes: Span<UInt8>,
        record: (Span<UInt8>) throws(RecordProblem) -> NotificationRecord
    ) throws(RecordProblem) -> ScheduledNotification {
        var reader = try RecordReader(bytes, format: format)
        let due = try reader.integer(UInt64.self)
        let notAfter = try reader.integer(UInt64.self)
        let stored = try reader.long()
        try reader.expectEnd()
        let record = try record(stored.span)
        return ScheduledNotification(
            id: ScheduleID(high: record.id.high, low: record.id.low),
            due: Timestamp(milliseconds: due),
            notAfter: notAfter == 0 ? nil : Timestamp(milliseconds: notAfter),
            draft: record.draft,
            properties: record.properties
        )
    }
}
