import HubModel
import HubVocabulary

/// The sum of the checkpoints that a memory store has taken.
struct MemoryProgress: Sendable {
    var cursors: [DeviceID: StoredCursor] = [:]
    var counters: [CounterDelta] = []
    /// The number of the last checkpoint.
    var batch: UInt64 = 0
    var countersFloor: UInt64 = 0

    mutating func apply(_ checkpoint: CheckpointBatch) {
        guard checkpoint.number > batch else { return }
        batch = checkpoint.number
        for cursor in checkpoint.cursors { cursors.merge(cursor) }
        counters += checkpoint.counters
        countersFloor = max(countersFloor, checkpoint.countersFloor)
        counters.removeAll { $0.sequence < countersFloor }
    }
}
