import HubModel
import Synchronization

/// The newest records of a hub, shared by its writer, its shards and its reader of the log.
final class SharedRecords: Sendable {
    private let recent: Mutex<RecentRecords>

    init(recordsMax: Int, bytesMax: Int) {
        recent = Mutex(RecentRecords(recordsMax: recordsMax, bytesMax: bytesMax))
    }

    func append(_ records: [NotificationRecord]) {
        guard !records.isEmpty else { return }
        RecentRecords.shrink(recent.withLock { $0.append(records) })
    }

    func records(at sequences: ArraySlice<UInt64>) -> [NotificationRecord] {
        recent.withLock { $0.records(at: sequences) }
    }

    func page(after: UInt64, through: UInt64, limit: Int) -> [NotificationRecord]? {
        recent.withLock { $0.page(after: after, through: through, limit: limit) }
    }
}
