import HubModel
import HubRelay

/// The state that survives a crash.
struct SimulatedStore {
    var mark = LaneMark(epoch: 7, scanned: 0)
    var deferred: [DeferredRow.Key: DeferredRow] = [:]
    var counts: [UInt64: Int] = [:]
    var removed: Set<UInt32> = []
    /// All records up to here were purged.
    var purged: UInt64 = 0
    /// A checkpoint that the store did not take, which comes again as it is.
    var refused: LaneCheckpoint?

    mutating func take(_ checkpoint: LaneCheckpoint, _ mistake: HostMistake?) {
        var mark = checkpoint.mark
        if mistake == .doneSetLost {
            mark.open = mark.open.map { open in
                guard case .through(let below, _) = open.progress else { return open }
                return LaneMark.Open(
                    sequence: open.sequence,
                    progress: .through(below: below, done: [])
                )
            }
        }
        if mistake != .countsWithoutMark { self.mark = mark }
        for count in checkpoint.counts { counts[count.sequence, default: 0] += count.amount }
        if mistake != .deferredLost {
            for row in checkpoint.deferred { deferred[row.key] = row }
        }
        for key in checkpoint.finished { deferred[key] = nil }
    }
}
