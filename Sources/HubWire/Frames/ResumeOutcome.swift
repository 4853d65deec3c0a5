/// The hub's answer to the position that a device sent in HELLO.
///
/// Source: Protocol.
package enum ResumeOutcome: UInt8, CaseIterable, Sendable {
    /// The device had no position.
    case fresh = 0
    /// Nothing is missing.
    case resumed = 1
    /// Entries are missing; `lost` says how many.
    case gap = 2
    /// The position is not of this history.
    case reset = 3
}
