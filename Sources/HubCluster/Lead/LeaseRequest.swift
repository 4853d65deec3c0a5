/// A request to the row `lead`; its answer is the row behind it.
package enum LeaseRequest: Hashable, Sendable {
    /// Changes nothing.
    case look
    /// Takes the lead where this is the term and its lease has ended; every hub's fence goes up with
    /// it.
    case take(over: UInt64)
    /// Moves the lease's end where this run holds the term.
    case renew(UInt64)
    /// Ends the lease at once where this run holds the term.
    case release(UInt64)
}
