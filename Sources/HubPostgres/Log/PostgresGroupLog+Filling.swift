package import HubCluster
package import HubModel
import HubVocabulary

// A hub that is moved into the database: rows that no group of its leader has made.
extension PostgresGroupLog {
    /// Stores what holds now, each item once.
    package func fill(_ items: [StoredItem]) throws(StoreError) {
        guard !items.isEmpty else { return }
        try repeating([behindLast(LogStatements.touch), putting(items)])
    }

    /// Has the log go on at a place, whatever it held before; its fence, groups and checkpoint stay.
    package func restart(at target: GroupPlace) throws(StoreError) {
        var after = target
        (after.fence, after.feed) = (place.fence, place.feed)
        (after.checkpoint, after.reports) = (place.checkpoint, place.reports)
        let head = behindLast(LogStatements.restart) { [place] values in
            values.append(place.head)
            values.append(after.head)
            values.append(UInt64(after.headCheck))
            values.append(after.first)
            values.append(after.changesFirst)
            values.append(after.purged)
            values.append(UInt64(after.numberMax))
            values.append(after.countersFloor)
        }
        let remove = PostgresCommand(LogStatements.removeEpochs) { [hub] in $0.append(hub) }
        try move(to: after, [head, remove] + after.epochs.map { putting($0) })
    }
}
