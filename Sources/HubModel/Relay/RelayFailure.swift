package import HubVocabulary

/// A notification that a service did not take, with the service's reason.
package struct RelayFailure: Hashable, Sendable {
    /// The record.
    package var sequence: UInt64
    /// The registration's number.
    package var registration: UInt32
    /// The word under which it counts.
    package var outcome: RelayOutcome
    /// The service's own word, at most 64 bytes.
    package var reason: String
    /// When the answer came.
    package var time: Timestamp

    /// Makes a failure of its parts.
    package init(
        sequence: UInt64,
        registration: UInt32,
        outcome: RelayOutcome,
        reason: String,
        time: Timestamp
    ) {
        self.sequence = sequence
        self.registration = registration
        self.outcome = outcome
        self.reason = reason
        self.time = time
    }
}
