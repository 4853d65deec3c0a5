package import HubVocabulary

/// A key with what it stands for, as it is remembered for 24 hours.
///
/// Source: rules B.14.
package struct StoredKey: Hashable, Sendable {
    /// The result of the first request with the key.
    package enum Outcome: Hashable, Sendable {
        /// A record of the log.
        case sent(NotificationID, sequence: UInt64)
        /// A scheduled notification, fired or not.
        case scheduled(ScheduleID)
    }

    /// The key and its fingerprint.
    package var key: IdempotencyKey
    /// The result of that request.
    package var outcome: Outcome
    /// When it was accepted.
    package var time: Timestamp

    /// Makes a key with its outcome.
    package init(key: IdempotencyKey, outcome: Outcome, time: Timestamp) {
        self.key = key
        self.outcome = outcome
        self.time = time
    }
}
