package import HubVocabulary

/// Entries of one notification that a device stored.
package struct AcknowledgedEntry: Hashable, Sendable {
    /// The notification's place.
    package var sequence: UInt64
    /// The platform of the registrations that they came for.
    package var platform: Platform
    /// How many.
    package var count: UInt16

    /// Makes an entry.
    package init(sequence: UInt64, platform: Platform, count: UInt16) {
        self.sequence = sequence
        self.platform = platform
        self.count = count
    }
}
