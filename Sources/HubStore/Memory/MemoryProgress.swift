import HubModel
import HubVocabulary

/// The sum of the checkpoints that a memory store has taken.
struct MemoryProgress: Sendable {
    var cursors: [DeviceID: StoredCursor] = [:]
    var counters: [CounterDelta] = []
    var lanes: [Platform: StoredLane] = [:]
    var failures: [Platform: [RelayFailure]] = [:]
    /// The number of the last checkpoint.
    var batch: UInt64 = 0
    var countersFloor: UInt64 = 0

    mutating func apply(_ checkpoint: CheckpointBatch) {
        guard checkpoint.number > batch else { return }
        batch = checkpoint.number
        for change in checkpoint.cursorChanges { cursors.make(change) }
        counters += checkpoint.counters
        for progress in checkpoint.lanes { note(progress) }
        countersFloor = max(countersFloor, checkpoint.countersFloor)
        counters.removeAll { $0.sequence < countersFloor }
    }

    private mutating func note(_ progress: LaneProgress) {
        let platform = progress.platform
        let known = lanes[platform]?.deferred ?? []
        let replaced = Set(progress.deferred.map(\.key)).union(progress.finished)
        let rows = known.filter { !replaced.contains($0.key) } + progress.deferred
        lanes[platform] = StoredLane(
            platform: platform,
            mark: progress.mark,
            deferred: rows.sorted { $0.key < $1.key }
        )
        for failure in progress.failures {
            failures[platform, default: []].removeAll {
                ($0.sequence, $0.registration) == (failure.sequence, failure.registration)
            }
            failures[platform, default: []].append(failure)
        }
    }
}
