package import HubVocabulary

/// A committed record with the registrations that it reaches through one lane.
package struct LaneRecord: Sendable {
    /// Its place in the log.
    package var sequence: UInt64
    /// When it was accepted.
    package var accepted: Timestamp
    /// When it is not worth sending any more.
    package var expires: Timestamp
    /// Now or never.
    package var isTransient: Bool
    /// A hash of collapse key and target: of two equal ones the newer is enough; nil
    /// without a key.
    package var collapse: UInt64?
    /// The numbers of the registrations, ascending.
    package var audience: [UInt32]

    /// Makes a record of its parts.
    package init(
        sequence: UInt64,
        accepted: Timestamp,
        expires: Timestamp,
        isTransient: Bool,
        collapse: UInt64?,
        audience: [UInt32]
    ) {
        self.sequence = sequence
        self.accepted = accepted
        self.expires = expires
        self.isTransient = isTransient
        self.collapse = collapse
        self.audience = audience
    }
}
