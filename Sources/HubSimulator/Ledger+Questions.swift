import HubModel
import HubVocabulary
import HubWire

// Questions to the ledger.
extension Ledger {
    /// Whether a position is one of the present history.
    ///
    /// Source: rules B.1, B.2.
    func fits(_ position: Position) -> Bool {
        guard let index = history.epochs.firstIndex(where: { $0.epoch == position.epoch }) else {
            return false
        }
        if index + 1 < history.epochs.count, position.sequence >= history.epochs[index + 1].sequence
        {
            return false
        }
        guard position.sequence <= UInt64(history.log.count) else { return false }
        // Of what is gone nothing is owed any more: it does not matter whether it is the same.
        if position.sequence + 1 < history.first { return true }
        if position.sequence == 0 { return position.check == 0 }
        return records[history.log[Int(position.sequence) - 1]].id.check == position.check
    }

    /// Whether a later record with the same key matched the same registration of a device.
    ///
    /// Source: rules B.10.
    func isReplaced(
        _ match: Match,
        _ record: Int,
        _ device: Device,
        through last: UInt64? = nil
    ) -> Bool {
        let key = records[record].collapseKey
        guard !key.isEmpty else { return false }
        return device.matches.contains { later, matches in
            later > record && !records[later].isTransient && records[later].collapseKey == key
                && last.map { !records[later].isLost && records[later].sequence <= $0 } ?? true
                && matches.contains { $0.slot == match.slot && $0.number == match.number }
        }
    }

    /// Whether the record is in the present history.
    func isDurable(_ record: NotificationRecord) -> Bool {
        guard record.sequence >= 1, record.sequence <= UInt64(history.log.count) else {
            return false
        }
        return records[history.log[Int(record.sequence) - 1]].id == record.id
    }

    /// Whether the record of a schedule is in the present history.
    func hasFired(_ schedule: ScheduleID) -> Bool {
        history.log.contains { records[$0].schedule == schedule }
    }

    /// The place at which a device that is RESET may begin at the latest, so that nothing it has
    /// not stored is left out.
    func resetLimit(_ device: DeviceID) -> UInt64 {
        let stored = devices[device]?.storedThrough ?? 0
        let since = history.rows.values.filter { $0.device == device }.map { $0.since - 1 }.min()
        return max(stored, since ?? UInt64(history.log.count), history.firstMost - 1)
    }

    /// Whether something of `(after, …` was purged and has left the log, so that its matches cannot
    /// be told any more.
    func isPurgeGone(after place: UInt64) -> Bool {
        place < min(history.settings?.purgedThrough ?? 0, history.firstMost - 1)
    }
}
