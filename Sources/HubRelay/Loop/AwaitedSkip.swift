package import HubModel
package import HubVocabulary

/// An operator's order to give up records, until the store has it.
package struct AwaitedSkip: Sendable {
    /// The last record that is given up.
    var through: UInt64
    /// The notifications that it ended; nil before the lane has taken it.
    var done: RelaySkip?
    /// Hears what was given up, once a crash does not forget it, or that the store has not taken it;
    /// nil when the lane ended before.
    let told: @Sendable (Result<RelaySkip?, Refusal>) -> Void

    /// An order for all records up to a place.
    package init(
        through: UInt64,
        told: @escaping @Sendable (Result<RelaySkip?, Refusal>) -> Void
    ) {
        self.through = through
        self.told = told
    }
}
