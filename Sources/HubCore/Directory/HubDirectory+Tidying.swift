// What the directory takes from its store's housekeeping. Source: rules B.6.

extension HubDirectory {
    /// Milliseconds between two looks for something to remove, when the last found nothing.
    package static let tidyingMilliseconds: UInt64 = 1_000

    /// Seconds for which records that have expired are kept, so that they can be explained.
    package var recordsKeptSeconds: UInt64 { limits.recordsKeptSeconds }

    /// The store has done a step; `bounds` is the log's extent since then.
    package func tidied(_ result: TidyResult, bounds: LogBounds) {
        self.bounds.first = bounds.first
        self.bounds.purged = bounds.purged
        if let removed = result.removed {
            actions.append(.event(.recordsRemoved(removed.count)))
        }
        let isTooLarge = result.logBytes > limits.logBytesWarned
        if isTooLarge, !isLogTooLarge {
            actions.append(.event(.logTooLarge(bytes: result.logBytes)))
        }
        isLogTooLarge = isTooLarge
    }

    /// The store refused a step; it will be asked again.
    package func tidyingFailed(_ error: StoreError) {
        actions.append(.event(.tidyingRefused(error)))
    }
}
