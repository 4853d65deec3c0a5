package import HubModel
import HubVocabulary

/// The state of a hub's log in the database: its row `head`, and its epochs.
package struct GroupPlace: Hashable, Sendable {
    /// Goes up by one with each leader; what was written under a lower one is refused.
    package var fence: UInt64 = 0
    /// The number of the last group; 0 for none.
    package var feed: UInt64 = 0
    /// The highest sequence number; `first - 1` when the log is empty.
    package var head: UInt64 = 0
    /// The check value there.
    package var headCheck: UInt32 = 0
    /// The lowest sequence number still held.
    package var first: UInt64 = 1
    /// Groups with lower numbers have no changes any more.
    package var changesFirst: UInt64 = 1
    /// Records up to here were purged; 0 when nothing was.
    package var purged: UInt64 = 0
    /// The highest registration number ever given.
    package var numberMax: UInt32 = 0
    /// The number of the last checkpoint; 0 for none.
    package var checkpoint: UInt64 = 0
    /// Below it no notification has counters.
    package var countersFloor: UInt64 = 0
    /// Ascending; empty for a new log.
    package var epochs: [GroupEpoch] = []
    /// Which progress reports the last checkpoint has counted.
    package var reports = NodeReports()

    /// A log in which nothing has happened.
    package init() {}

    /// The extent of the log; nil before its first epoch.
    package var bounds: LogBounds? {
        epochs.last.map { newest in
            LogBounds(
                epoch: newest.place.epoch,
                first: first,
                head: head,
                epochs: epochs.map(\.place),
                purged: purged
            )
        }
    }

    // MARK: What changes it

    /// The next group: changes, and records that go on at the head; at least one of either.
    package func next(
        _ changes: [StoredChange],
        _ records: [NotificationRecord]
    ) -> EncodedGroup {
        for (offset, record) in records.enumerated() {
            let next = head + 1 + UInt64(offset)
            precondition(record.sequence == next, "record \(record.sequence) at \(next)")
        }
        return EncodedGroup(
            number: feed + 1,
            changes: EncodedChanges(changes, headBefore: head, checkBefore: headCheck),
            records: EncodedRecords(records, checkBelow: headCheck)
        )
    }

    /// The place behind a group.
    package func behind(_ group: EncodedGroup, _ effect: GroupEffect) -> GroupPlace {
        var place = self
        place.feed = group.number
        place.head = group.head
        place.headCheck = group.records?.check ?? headCheck
        place.numberMax = max(numberMax, effect.numberMax)
        place.purged = max(purged, min(effect.purged, head))
        return place
    }

    /// The place behind the beginning of an epoch.
    package func behind(_ epoch: GroupEpoch) -> GroupPlace {
        var place = self
        // An epoch that began there and has no record is no more.
        place.epochs.removeAll { $0.place.sequence == epoch.place.sequence }
        place.epochs.append(epoch)
        if head == first - 1 { place.first = epoch.place.sequence }
        place.head = epoch.place.sequence - 1
        place.headCheck = epoch.checkBelow
        return place
    }

    /// The place behind a checkpoint.
    package func behind(_ batch: CheckpointBatch, _ reports: NodeReports) -> GroupPlace {
        var place = self
        place.checkpoint = batch.number
        place.countersFloor = max(countersFloor, batch.countersFloor)
        place.reports = reports
        return place
    }
}
