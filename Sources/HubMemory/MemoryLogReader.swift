import HubModel
import Synchronization

/// Reads of a memory store's log.
struct MemoryLogReader: LogReading {
    let disk: MemoryDisk

    var purgedGone: UInt64 { disk.contents.withLock { $0.log.bounds?.purgedGone ?? 0 } }

    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        if let fault = disk.faults.reads { throw fault }
        var bytes = 0
        var found: [NotificationRecord] = []
        let (all, first) = disk.contents.withLock { ($0.log.records, $0.log.bounds?.first ?? 1) }
        // Lost history leaves a hole: a place is found by halving.
        var (start, end) = (0, after < first ? 0 : all.count)
        while start < end {
            let middle = (start + end) / 2
            if all[middle].sequence <= after { start = middle + 1 } else { end = middle }
        }
        for record in all.dropFirst(start).prefix(limit) {
            bytes += record.draft.body.count
            guard record.sequence <= through, bytes <= bytesMax || found.isEmpty else { break }
            found.append(record)
        }
        return found
    }

    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { $0.log.check(at: sequence) }
    }
}
