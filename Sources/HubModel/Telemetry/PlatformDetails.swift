package import HubVocabulary

/// The counters of a notification on one platform.
package struct PlatformDetails: Equatable, Sendable {
    /// The platform.
    package var platform: Platform
    /// Exact counters, live ones included.
    package var counts: CounterTable
    /// Registrations that match today; an estimate where there are very many.
    package var estimate: MatchEstimate

    /// Puts details together.
    package init(platform: Platform, counts: CounterTable, estimate: MatchEstimate) {
        self.platform = platform
        self.counts = counts
        self.estimate = estimate
    }

    /// One counter.
    package subscript(kind: TelemetryKind) -> UInt64 { counts[platform, kind] }

    /// Registrations that match and were not connected when it was fanned out; an estimate.
    package var matchedOffline: UInt64 {
        estimate.reachable - min(estimate.reachable, self[.matched])
    }

    /// Matches that were taken for delivery: sent, or held by the log for devices that are away.
    package var succeeded: UInt64 {
        let lost = self[.oversized] + self[.skipped] + dropped
        let all = self[.matched] + matchedOffline
        return all - min(all, lost)
    }

    /// Matches that are not sent any more: their time was over, a later one replaced them, too many
    /// waited, or an operator purged them.
    package var dropped: UInt64 {
        self[.expired] + self[.missed] + self[.collapsed] + self[.capped] + self[.purged]
    }

    /// Whether anything matched.
    package var isEmpty: Bool { counts == CounterTable() && estimate == MatchEstimate() }
}
