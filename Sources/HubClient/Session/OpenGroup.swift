/// A sequence number that has entries of some registrations stored, and others still to come.
///
/// Source: rules B.7.
package struct OpenGroup: Equatable, Sendable {
    /// The sequence number.
    package var sequence: UInt64
    /// Slots whose entry is stored already; dropped when they come again.
    package var slots: [UInt16]

    /// A group of its parts.
    package init(sequence: UInt64, slots: [UInt16]) {
        self.sequence = sequence
        self.slots = slots
    }
}
