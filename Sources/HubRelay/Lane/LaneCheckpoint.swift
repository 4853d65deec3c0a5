package import HubModel

/// The changes that a lane's host stores in one transaction, about once a second.
package struct LaneCheckpoint: Sendable {
    /// So many notifications of a record ended in one way.
    package struct Count: Hashable, Sendable {
        /// The record.
        package var sequence: UInt64
        /// How they ended.
        package var end: LaneEnd
        /// How many since the last checkpoint.
        package var amount: Int
    }

    /// Where the lane stands.
    package var mark: LaneMark
    /// Counts that belong to the mark.
    package var counts: [Count]
    /// Failures that belong to the mark.
    package var failures: [RelayFailure]
    /// Rows to write, over older ones of the same key.
    package var deferred: [DeferredRow]
    /// Rows to remove.
    package var finished: [DeferredRow.Key]
}
