/// An event at the opening of a store that an operator should hear of.
package enum StoreEvent: Hashable, Sendable {
    /// The hub's files were made.
    case created
    /// The log began a new epoch; devices whose position it does not know start again.
    case newEpoch(StoreDisagreement)
    /// Files of an older schema were brought up to date; `backup` is the folder of their copy.
    case migrated(backup: String)
    /// A copy of what a database holds was filled anew.
    case copyFilled(CopyFault)
}
