package import HubModel
import HubVocabulary

// What the directory takes from its store's housekeeping. Source: rules B.6.

extension HubDirectory {
    /// Milliseconds between two looks for something to remove, when the last found nothing.
    package static let tidyingMilliseconds: UInt64 = 1_000

    /// Which records and departures the store may remove.
    package var retention: RecordRetention {
        var retention = RecordRetention(
            keptSeconds: limits.recordsKeptSeconds,
            purgedSeconds: limits.idempotencyKeptSeconds
        )
        retention.departuresKeptSeconds = limits.departuresKeptSeconds
        retention.departuresMax = limits.departuresMax
        retention.planted = limits.planted
        return retention
    }

    /// The store has done a step; `bounds` is the log's extent since then.
    package func tidied(_ result: TidyResult, bounds: LogBounds) {
        self.bounds.first = bounds.first
        self.bounds.purged = bounds.purged
        if let removed = result.removed {
            actions.append(.event(.recordsRemoved(removed.count)))
        }
        for part in result.damagedLists { actions.append(.event(.listsDamaged(part: part))) }
        logBytes = result.logBytes
        let isTooLarge = UInt64(clamping: result.logBytes) > settings.logBytesWarned
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
