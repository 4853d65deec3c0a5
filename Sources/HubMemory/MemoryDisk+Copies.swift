import HubModel
import HubVocabulary
import Synchronization

// Operations on disks besides writing: they are copied, put back, read by a new process, and
// cleared of records that are owed to no device.

extension MemoryDisk {
    /// Another disk with the same contents, as a backup or a new process finds them: nothing that
    /// was only in memory, such as parcels that were made, is shared with this one.
    package func copy() -> MemoryDisk {
        let disk = MemoryDisk()
        var found = contents.withLock { $0 }
        found.faults = MemoryFaults()
        found.log.records = found.log.records.map { $0.keyed(nil) }
        disk.contents.withLock { $0 = found }
        return disk
    }

    /// Gives a restored copy an epoch of its own, above all it holds.
    ///
    /// Source: rules B.2.
    package func beginEpoch(seed: UInt64) {
        contents.withLock { contents in
            guard var bounds = contents.log.bounds else { return }
            var epoch = seed
            while epoch == 0 || bounds.epochs.contains(where: { $0.epoch == epoch }) { epoch &+= 1 }
            bounds.epoch = epoch
            bounds.epochs.append(LogPlace(epoch: epoch, sequence: bounds.head + 1))
            contents.log.bounds = bounds
        }
    }
}

extension MemoryContents {
    /// Removes whole slices from the log's beginning, when every record of them may go.
    ///
    /// With them go the tombstones of registrations that ended before the log begins.
    mutating func tidy(
        now: Timestamp,
        _ retention: RecordRetention,
        sliceRecords: UInt64
    ) -> TidyResult {
        var result = TidyResult()
        tidyDepartures(now: now, retention)
        guard let bounds = log.bounds else { return result }
        let free = log.records.prefix { record in
            retention.lets(
                goWhatExpiresBy: record.expires,
                acceptedBy: record.id.time,
                isPurged: record.sequence <= bounds.purged,
                now: now
            )
        }.count
        let end = (bounds.first - 1 + UInt64(free)) / sliceRecords * sliceRecords
        guard end >= bounds.first else { return result }
        let count = Int(end + 1 - bounds.first)
        log.checkBelow = log.records[count - 1].id.check
        log.records.removeFirst(count)
        log.bounds?.first = end + 1
        deleted = deleted.filter { $0.value.place > end }
        result.removed = bounds.first...end
        return result
    }

    private mutating func tidyDepartures(now: Timestamp, _ retention: RecordRetention) {
        let kept = retention.departuresKeptSeconds * 1_000
        let oldest = now.milliseconds - min(now.milliseconds, kept)
        let last = departures.last?.number ?? 0
        departures.removeAll { row in
            row.time.milliseconds < oldest || row.number + retention.departuresMax <= last
        }
    }
}
