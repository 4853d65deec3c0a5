import HubModel

/// A part of a hub whose changes belong to a group.
///
/// It makes the changes of a group at once, so that a later request of the same group sees them.
/// Nothing that depends on them leaves before `settle`, which makes them final or takes them back.
protocol GroupPart: AnyObject {
    /// The group's changes for the store, in an order in which it can apply them.
    var storedChanges: [StoredChange] { get }

    /// How much of a group's room the changes take.
    var touchedCount: Int { get }

    /// Makes the group's changes final where they are durable, and takes them back where not.
    func settle(_ outcome: GroupOutcome, _ news: inout GroupNews)
}
