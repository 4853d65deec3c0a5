/// A change of a connection that is worth telling the operator.
package enum CarrierEvent: Hashable, Sendable {
    /// A connection is there, with so many beside it.
    case connected(host: String, connections: Int)
    /// The service ends a connection; the reason is its own, empty without one.
    case goneAway(host: String, reason: String)
    /// A connection ended or could not be made.
    case lost(host: String, reason: String)
}
