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

    /// Matches that were taken for delivery: sent, held by the log for devices that are away, or
    /// taken by a push service.
    package var succeeded: UInt64 {
        let lost = self[.oversized] + self[.skipped] + dropped
        let all = self[.matched] + matchedOffline
        return all - min(all, lost) + self[.relayAccepted]
    }

    /// Matches that were not relayed, or that a service dropped, for the same reasons.
    package var relayDropped: UInt64 {
        self[.relayDropped] + self[.relayExpired] + self[.relayMissed] + self[.relayCollapsed]
            + self[.relayPurged]
    }

    /// Matches that a push service refused, or that it never had time for.
    package var relayRefused: UInt64 {
        self[.relayExpiredChannel] + self[.relayBadChannel] + self[.relayWrongToken]
            + self[.relayWrongChannel] + self[.relayInvalidFormat] + self[.relayInvalidSize]
            + self[.relayRefused] + self[.relayGaveUp]
    }

    /// Matches that are not sent any more: their time was over, a later one replaced them, too many
    /// waited, or an operator purged them.
    package var dropped: UInt64 {
        self[.expired] + self[.missed] + self[.collapsed] + self[.capped] + self[.purged]
    }

    /// Whether anything matched.
    package var isEmpty: Bool { counts == CounterTable() && estimate == MatchEstimate() }
}
