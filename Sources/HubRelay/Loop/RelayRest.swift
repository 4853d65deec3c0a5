/// How a turn of a lane's loop ended.
package enum RelayRest: Hashable, Sendable {
    /// The next turn begins with the next mail, and after so many milliseconds without.
    case waiting(milliseconds: UInt64)
    /// A lane that stops awaits no answer and has nothing to store.
    case stopped
}
