/// What an operator should hear about the opening of a store.
package enum StoreEvent: Hashable, Sendable {
    /// The hub's files were made.
    case created
    /// The log began a new epoch; devices whose position it does not know start again.
    case newEpoch(StoreDisagreement)
    /// Files of an older schema were brought up to date; `backup` is the folder of their copy.
    case migrated(backup: String)
}
