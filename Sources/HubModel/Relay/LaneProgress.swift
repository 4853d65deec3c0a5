package import HubVocabulary

/// The changes of one lane that the store keeps with the counters of the same checkpoint.
package struct LaneProgress: Hashable, Sendable {
    /// The platform whose service the lane relays to.
    package var platform: Platform
    /// Where the lane stands.
    package var mark: LaneMark
    /// Notifications that the service did not take.
    package var failures: [RelayFailure]
    /// Rows to write, over older ones of the same key.
    package var deferred: [DeferredRow]
    /// Rows to remove.
    package var finished: [DeferredRow.Key]

    /// Makes changes of their parts.
    package init(
        platform: Platform,
        mark: LaneMark,
        failures: [RelayFailure] = [],
        deferred: [DeferredRow] = [],
        finished: [DeferredRow.Key] = []
    ) {
        self.platform = platform
        self.mark = mark
        self.failures = failures
        self.deferred = deferred
        self.finished = finished
    }
}
