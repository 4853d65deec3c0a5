package import HubCluster
package import HubModel
package import HubVocabulary
import Synchronization

/// A leader's view of the model of a database.
package final class MemoryGroupLog: GroupLog {
    private let database: MemoryDatabase
    package private(set) var place: GroupPlace
    private var isOver = false

    init(_ database: MemoryDatabase, place: GroupPlace) {
        self.database = database
        self.place = place
    }

    /// Another view of the same lead, at the same place.
    package func twin() -> MemoryGroupLog { MemoryGroupLog(database, place: place) }

    package func append(
        _ group: EncodedGroup,
        _ effect: GroupEffect
    ) throws(StoreError) {
        precondition(group.number == place.feed + 1, "group \(group.number) at \(place.feed)")
        precondition(group.headBefore == place.head, "group \(group.number) at another head")
        let (before, after) = (place, place.behind(group, effect))
        try write(after) { found in
            before.verdict(of: found, on: group, effect)
        } request: { contents in
            guard contents.place?.fence == before.fence, contents.place?.feed == before.feed else {
                return false
            }
            contents.place = contents.place?.behind(group, effect)
            contents.store(group, effect)
            return true
        }
    }

    package func checkpoint(
        _ batch: CheckpointBatch,
        reports: NodeReports
    ) throws(StoreError) {
        guard batch.number > place.checkpoint else { return }
        let (before, after) = (place, place.behind(batch, reports))
        try write(after) { found in
            before.verdict(of: found, onCheckpoint: batch.number)
        } request: { contents in
            guard contents.place?.fence == before.fence,
                contents.place?.checkpoint == before.checkpoint
            else { return false }
            contents.place = contents.place?.behind(batch, reports)
            contents.progress.apply(batch)
            return true
        }
    }

    package func begin(_ epoch: GroupEpoch) throws(StoreError) {
        try write { $0 = $0.behind(epoch) }
    }

    package func purge(through place: UInt64) throws(StoreError) {
        try write { $0.purged = max($0.purged, min(place, $0.head)) }
    }

    package func trim(_ extent: TrimExtent) throws(StoreError) -> Bool {
        try write { place in
            place.first = max(place.first, min(extent.first, place.head + 1))
            place.changesFirst = max(
                place.changesFirst,
                min(extent.changesBelow, place.feed + 1)
            )
        } more: { contents in
            contents.trim(extent)
        }
        return false
    }

    package func probe() throws(StoreError) { try write { _ in } }

    package func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError) {
        for cursor in try read(\.progress).cursorsByDevice { body(cursor) }
    }

    package func cursorJournal(behind mark: JournalMark) throws(StoreError) -> JournalNews {
        try read(\.progress.journal).news(behind: mark)
    }

    package func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        try read(\.progress).counters(of: sequence)
    }

    package func lanes() throws(StoreError) -> [StoredLane] { try read(\.progress).lanesByPlatform }

    package func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        try read(\.progress).failures(of: sequence, platform: platform)
    }

    package var reading: any GroupReading { database.reading }

    package func close() { isOver = true }

    // MARK: Requests

    private func read<Value: Sendable>(
        _ value: @Sendable (DatabaseContents) -> Value
    ) throws(StoreError) -> Value {
        let (found, error) = database.contents.withLock { (value($0), $0.reads) }
        if let error { throw error }
        return found
    }

    /// Writes what does no harm when it is written twice, unless a group came between.
    private func write(
        _ change: @escaping @Sendable (inout GroupPlace) -> Void,
        more: @escaping @Sendable (inout DatabaseContents) -> Void = { _ in }
    ) throws(StoreError) {
        let before = place
        var after = place
        change(&after)
        try write(after) { found in
            guard found.fence == before.fence else { return .fenced }
            guard found.feed == before.feed else { return .otherHistory }
            var again = found
            change(&again)
            return again == found ? .stored : .missing
        } request: { contents in
            guard var place = contents.place, place.fence == before.fence,
                place.feed == before.feed
            else { return false }
            change(&place)
            contents.place = place
            more(&contents)
            return true
        }
    }

    /// Sends a request until it is known what became of it.
    private func write(
        _ after: GroupPlace,
        resolve: (GroupPlace) -> DoubtVerdict,
        request: @escaping DatabaseContents.Request
    ) throws(StoreError) {
        while !isOver {
            switch database.attempt(request) {
            case .done:
                place = after
                return
            case .failed(let error): throw error
            case .unanswered, .refusedByFence:
                let found = database.contents.withLock { $0.place ?? GroupPlace() }
                switch resolve(found) {
                case .stored:
                    place = after
                    return
                case .missing: continue
                case .fenced, .otherHistory: isOver = true
                }
            }
        }
        throw .fenced
    }
}
