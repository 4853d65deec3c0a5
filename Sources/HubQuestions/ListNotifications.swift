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

    /// Which of them.
    package let filter: NotificationFilter
    /// The place below which the page begins; nil begins with the newest.
    package let before: UInt64?
    /// How many at most.
    package let limit: Int

    /// Asks for those below a place.
    package init(_ filter: NotificationFilter = NotificationFilter(), before: UInt64?, limit: Int) {
        self.filter = filter
        self.before = before
        self.limit = limit
    }

    package func answer(_ hub: HubView) throws(Refusal) -> ListPage<Entry, UInt64> {
        try hub.reading { () throws(StoreError) in
            let listed = hub.limits.inspection.listedPerPart
            // Of places that a filter passes over, a part looks at all that it may.
            let count = UInt64(filter.isEmpty ? max(1, min(limit, listed)) : listed)
            let first = max(1, hub.log.bounds.first)
            var last = min(before.map { $0 - min($0, 1) } ?? .max, hub.log.bounds.head)
            if before == nil, let until = filter.span.until,
                let later = try hub.log.firstRecord(where: { $0.id.time >= until })
            {
                last = later.sequence - 1
            }
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
            for record in records.reversed() where filter.admits(record) {
                let counts = try hub.counts(of: record.sequence)
                let isFannedOut = record.sequence <= hub.fannedOut
                guard filter.admits(counts, isFannedOut: isFannedOut) else { continue }
                found.append(Entry(record: record, counts: counts, isFannedOut: isFannedOut))
                guard found.count < limit else {
                    return ListPage(found, next: record.sequence > first ? record.sequence : nil)
                }
            }
            // Those below were accepted before, unless the clock was set back meanwhile.
            let isPast = filter.span.since.map { records[0].id.time < $0 } ?? false
            return ListPage(found, next: low < first || isPast ? nil : low + 1)
        }
    }
}
