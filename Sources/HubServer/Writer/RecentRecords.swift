import HubModel
import Synchronization

/// The newest records of a hub, shared by its shards, so that a device that was away for a moment,
/// or reads slowly, costs no read of the store.
final class RecentRecords: Sendable {
    private struct Window {
        /// Dense and ascending; those before `start` are dropped already.
        var records: [NotificationRecord] = []
        var start = 0
        var bytes = 0
    }

    /// Records, the newest ones, whose shelves hold all that the shards made of them.
    private static let freshMax = 256
    /// Bytes of parcels that each of the others holds.
    private static let agedParcelBytes = 2_048

    private let recordsMax: Int
    private let bytesMax: Int
    private let window = Mutex(Window())

    /// Keeps at most this many records and bytes of what was sent.
    init(recordsMax: Int, bytesMax: Int) {
        self.recordsMax = recordsMax
        self.bytesMax = bytesMax
    }

    /// Adds the next records.
    func append(_ records: [NotificationRecord]) {
        guard !records.isEmpty else { return }
        let aged = add(records)
        for record in aged { record.parcels.shrink(toBytes: Self.agedParcelBytes) }
    }

    /// Adds the next records; those that are no longer among the newest.
    private func add(_ records: [NotificationRecord]) -> [NotificationRecord] {
        window.withLock { window in
            for record in records {
                window.records.append(record)
                window.bytes += record.draft.weight
            }
            while window.start < window.records.count,
                window.records.count - window.start > recordsMax || window.bytes > bytesMax
            {
                window.bytes -= window.records[window.start].draft.weight
                window.start += 1
            }
            let fresh = max(window.start, window.records.count - Self.freshMax)
            let aged = Array(window.records[max(window.start, fresh - records.count)..<fresh])
            // At most every other record is one that was dropped already.
            guard window.start * 2 > window.records.count else {
                return aged
            }
            window.records.removeSubrange(..<window.start)
            window.start = 0
            return aged
        }
    }

    /// Those of the records at these places, which ascend, that are still kept.
    func records(at sequences: ArraySlice<UInt64>) -> [NotificationRecord] {
        window.withLock { window in
            guard window.start < window.records.count else { return [] }
            let first = window.records[window.start].sequence
            return sequences.compactMap { sequence in
                guard sequence >= first else { return nil }
                let index = window.start + Int(clamping: sequence - first)
                return index < window.records.count ? window.records[index] : nil
            }
        }
    }

    /// Records in `(after, through]`, at most `limit`; nil when the window begins later.
    func page(after: UInt64, through: UInt64, limit: Int) -> [NotificationRecord]? {
        window.withLock { window in
            guard window.start < window.records.count else { return nil }
            let first = window.records[window.start].sequence
            guard after + 1 >= first, after < through else { return nil }
            let from = window.start + Int(after + 1 - first)
            guard from < window.records.count else { return nil }
            let wanted = min(UInt64(limit), through - after)
            let to = min(window.records.count, from + Int(wanted))
            return Array(window.records[from..<to])
        }
    }
}
