package import HubVocabulary

/// Up to where a hub's rows in the database may go, as the leader's copy has it now.
package struct TrimExtent: Hashable, Sendable {
    /// Records below, and registrations that were gone before.
    package var first: UInt64 = 1
    /// Changes of groups with lower numbers; nodes that are further behind fill their copy anew.
    package var changesBelow: UInt64 = 1
    /// Idempotency keys of schedules that were accepted before.
    package var keysBefore = Timestamp(milliseconds: 0)
    /// Departures with lower numbers; may go back when the journal was empty and begins anew.
    package var departuresBelow: UInt64 = 1

    /// Nothing may go.
    package init() {}
}
