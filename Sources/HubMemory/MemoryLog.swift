import HubModel
import HubVocabulary

/// The log of a memory store.
struct MemoryLog: Sendable {
    /// nil until the first epoch has begun.
    var bounds: LogBounds?
    /// From `bounds.first` on.
    var records: [NotificationRecord] = []
    /// The check value below `bounds.first`.
    var checkBelow: UInt32 = 0
    /// The places of the records that scheduled notifications became.
    var fired: [ScheduleID: UInt64] = [:]
    /// Idempotency keys of records, ascending by time.
    var keys: [StoredKey] = []
    /// How many of them were forgotten.
    var keysGone: UInt64 = 0

    mutating func append(_ added: [NotificationRecord]) {
        for record in added {
            let next = (bounds?.head ?? 0) + 1
            precondition(record.sequence == next, "record \(record.sequence) at \(next)")
            records.append(record)
            if let key = record.storedKey { keys.append(key) }
            if let schedule = record.schedule {
                let isFirst = fired.updateValue(next, forKey: schedule) == nil
                precondition(isFirst, "schedule \(schedule.text) fired twice")
            }
            bounds?.head = next
        }
    }

    mutating func purge(through place: UInt64) {
        guard let bounds else { return }
        self.bounds?.purged = max(bounds.purged, min(place, bounds.head))
    }

    func check(at sequence: UInt64) -> UInt32? {
        guard sequence > 0 else { return 0 }
        let first = bounds?.first ?? 1
        if sequence == first - 1 { return checkBelow }
        guard sequence >= first, sequence - first < records.count else { return nil }
        return records[Int(sequence - first)].id.check
    }
}
