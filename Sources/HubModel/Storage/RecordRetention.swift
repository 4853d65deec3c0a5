package import HubVocabulary

/// Which records and departures a store may remove: decided here for every store.
///
/// A record that has neither expired nor been purged is owed to a device, however old or large the
/// log is. Source: rules B.3, B.6.
package struct RecordRetention: Sendable {
    /// Seconds after its acceptance for which a record stays although it has expired, so that what
    /// became of it can be told.
    package var keptSeconds: UInt64
    /// Seconds after its acceptance for which one that was purged stays, unless `keptSeconds` is
    /// less: as long as its idempotency key counts.
    package var purgedSeconds: UInt64
    /// Seconds for which a departure stays.
    package var departuresKeptSeconds = CoreLimits.standard.feedback.departuresKeptSeconds
    /// Departures that stay at most; the oldest go first.
    package var departuresMax = CoreLimits.standard.feedback.departuresMax

    /// Makes a retention.
    package init(keptSeconds: UInt64, purgedSeconds: UInt64 = 0) {
        self.keptSeconds = keptSeconds
        self.purgedSeconds = purgedSeconds
    }

    /// Whether records that are removed together are owed to no device any more, and old enough.
    ///
    /// `isPurged` says that all of them were.
    package func lets(
        goWhatExpiresBy newestExpiry: Timestamp,
        acceptedBy newestTime: Timestamp,
        isPurged: Bool,
        now: Timestamp
    ) -> Bool {
        let kept = isPurged ? min(keptSeconds, purgedSeconds) : keptSeconds
        guard newestTime.adding(seconds: kept) <= now else { return false }
        return isPurged || newestExpiry < now
    }
}
