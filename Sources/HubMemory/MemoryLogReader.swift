import HubModel
import HubVocabulary
import Synchronization

/// Reads of a memory store's log.
struct MemoryLogReader: LogReading, KeyReading {
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

    /// A page's end is the number of the key, of all that there ever were.
    func keys(
        behind end: UInt64,
        through: UInt64,
        from time: Timestamp,
        limit: Int
    ) throws(StoreError) -> LogKeyPage {
        if let fault = disk.faults.reads { throw fault }
        let (all, gone) = disk.contents.withLock { ($0.log.keys, $0.log.keysGone) }
        let start = Int(max(end, gone) - gone)
        let part = all.dropFirst(start).prefix(max(1, limit))
        var page = LogKeyPage()
        for key in part where key.time >= time {
            if case .sent(_, let sequence) = key.outcome, sequence > through { continue }
            page.entries.append(LogKeyPage.Entry(scope: key.key.scope, time: key.time))
        }
        let next = start + part.count
        if next < all.count { page.end = gone + UInt64(next) }
        return page
    }

    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { $0.log.check(at: sequence) }
    }
}
