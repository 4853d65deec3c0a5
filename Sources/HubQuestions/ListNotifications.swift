package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads a page of the log's notifications, the newest first, with their counters.
///
/// Looks at `listedPerPart` places: a page may be short, or empty, and still name a next one.
package struct ListNotifications: HubQuestion {
    /// A notification of the list.
    package struct Entry: Sendable {
        /// The notification as it was sent.
        package let record: NotificationRecord
        /// Everything counted of it so far.
        package let counts: CounterTable
        /// Whether every shard has looked for its receivers.
        package let isFannedOut: Bool

        /// Makes one of its parts.
        package init(record: NotificationRecord, counts: CounterTable, isFannedOut: Bool) {
            self.record = record
            self.counts = counts
            self.isFannedOut = isFannedOut
        }
    }

    /// The place below which the page begins; nil begins with the newest.
    package let before: UInt64?
    /// How many at most.
    package let limit: Int

    /// Asks for those below a place.
    package init(before: UInt64?, limit: Int) {
        self.before = before
        self.limit = limit
    }

    package func answer(_ hub: HubView) throws(Refusal) -> ListPage<Entry, UInt64> {
        try hub.reading { () throws(StoreError) in
            let count = UInt64(max(1, min(limit, hub.limits.inspection.listedPerPart)))
            let first = max(1, hub.log.bounds.first)
            let last = min(before.map { $0 - min($0, 1) } ?? .max, hub.log.bounds.head)
            guard last >= first else { return ListPage([], next: nil) }
            // Above `low` are so many places, and no record that is passed over.
            let low = last - min(last - first + 1, count)
            let records = try hub.log.records(after: low, through: last)
            guard !records.isEmpty else {
                // History that was lost leaves a hole: the list goes on below it.
                let newest = try hub.log.newest(through: low)
                return ListPage([], next: newest.map { $0 + 1 })
            }
            var found: [Entry] = []
            for record in records.reversed() {
                found.append(
                    Entry(
                        record: record,
                        counts: try hub.counts(of: record.sequence),
                        isFannedOut: record.sequence <= hub.fannedOut
                    )
                )
            }
            return ListPage(found, next: low < first ? nil : low + 1)
        }
    }
}
