package import HubCluster
package import HubModel
package import HubVocabulary

// Everything that a hub has stored, for the move into a database.
extension SQLiteStore {
    /// Items that are given away at once.
    private static let itemsPerStep = 1_000
    /// Records that are given away at once, and about their bytes.
    private static let recordsPerStep = 1_000
    private static let bytesPerStep = 2 << 20

    /// The place that the database is to have when everything is there, as far as files know it.
    package var groupPlace: GroupPlace {
        var place = GroupPlace()
        let bounds = bounds
        (place.first, place.head, place.purged) = (bounds.first, bounds.head, bounds.purged)
        place.headCheck = copy.headCheck
        place.numberMax = copy.numberMax
        place.countersFloor = state.floor
        place.epochs = copy.log.epochs.map {
            GroupEpoch(place: $0.place, checkBelow: $0.checkBelow)
        }
        return place
    }

    /// Records in `(after, through]`, some at a time, each with the key under which it came: those
    /// that are read for devices have none.
    package func recordsWithKeys(
        after: UInt64,
        through: UInt64
    ) throws(StoreError) -> [NotificationRecord] {
        let records = try copy.log.records(
            after: after,
            through: through,
            limit: Self.recordsPerStep,
            bytesMax: Self.bytesPerStep
        )
        guard let last = records.last else { return [] }
        let keys = try copy.log.keys(after: after, through: last.sequence)
        return records.map { record in keys[record.sequence].map(record.keyed) ?? record }
    }

    /// Calls `body` with all items that hold now, tombstones included, some at a time.
    package func forEachItems(
        _ body: ([StoredItem]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var items: [StoredItem] = []
        func add(_ value: ItemValue) throws(StoreError) {
            items.append(StoredItem(value))
            guard items.count == Self.itemsPerStep else { return }
            try body(items)
            items.removeAll(keepingCapacity: true)
        }
        try copy.registrations.forEachItem(add)
        if !items.isEmpty { try body(items) }
    }

    /// Calls `body` with the counters of all notifications, ascending, some at a time.
    package func forEachCounters(
        _ body: ([CounterDelta]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var last: UInt64?
        while let block = try state.block(after: last) {
            last = block.number
            let counters = block.all.filter { $0.sequence >= state.floor }
            if !counters.isEmpty { try body(counters) }
        }
    }

    /// Calls `body` with the notifications that push services did not take, some at a time.
    package func forEachFailures(
        _ body: (Platform, [RelayFailure]) throws(StoreError) -> Void
    ) throws(StoreError) {
        for (platform, failures) in try state.failuresByPlatform() { try body(platform, failures) }
    }
}
