import HubModel
import HubVocabulary

extension LaneReport {
    /// A report of a checkpoint, with the rows of an earlier life of the lane that end by it.
    init(_ checkpoint: LaneCheckpoint, of platform: Platform, stale: [DeferredRow.Key]) {
        let progress = LaneProgress(
            platform: platform,
            mark: checkpoint.mark,
            failures: checkpoint.failures,
            deferred: checkpoint.deferred,
            finished: checkpoint.finished + stale
        )
        let counters = checkpoint.counts.compactMap { count in
            count.end.counter.map { kind in
                CounterDelta(
                    sequence: count.sequence,
                    platform: platform,
                    kind: kind,
                    count: UInt64(count.amount)
                )
            }
        }
        self.init(progress: progress, counters: counters)
    }
}
