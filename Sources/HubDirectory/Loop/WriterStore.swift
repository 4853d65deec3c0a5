package import HubModel
package import HubVocabulary

/// The store as a writer's loop uses it; all promises are those of `HubStorage`.
package protocol WriterStore {
    /// The log's extent as of the last commit.
    var bounds: LogBounds { get }

    /// Makes a group durable.
    ///
    /// Returns nil when the answer comes later, to `WriterLoop.committed`, or never.
    mutating func commit(_ group: CommitGroup) -> CommitResult?

    /// Makes cursors and counters durable.
    mutating func checkpoint(_ batch: CheckpointBatch) throws(StoreError)

    /// Removes some idempotency keys older than `time`. Returns whether more may remain.
    mutating func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool

    /// Finds out whether commits would succeed.
    mutating func probe() throws(StoreError)

    /// Does one step of the housekeeping.
    mutating func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult
}
