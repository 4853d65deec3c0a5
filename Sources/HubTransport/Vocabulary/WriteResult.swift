/// A connection's answer to bytes that are written to it.
package enum WriteResult: Sendable, Equatable {
    /// All bytes leave with this turn.
    case accepted
    /// Nothing was taken; `writable` is called when there is room again.
    case blocked
    /// Nothing was taken; the connection is closed or closing.
    case closed
}
