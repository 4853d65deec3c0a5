/// Why a log began a new epoch when it was opened.
///
/// Source: rules B.2.
package enum StoreDisagreement: Hashable, Sendable {
    /// There are registrations but no log.
    case logMissing
    /// There is a log but no registrations.
    case registrationsMissing
    /// The registrations have seen records that the log does not have: an older copy of it.
    case logIsOlder
    /// Both have the record, with different check values.
    case differentHistory
}
