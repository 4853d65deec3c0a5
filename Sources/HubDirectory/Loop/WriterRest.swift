/// How a turn of the writer ended.
package enum WriterRest: Equatable, Sendable {
    /// The next turn begins with the next mail, and after so many milliseconds without; 0 for at
    /// once.
    case waiting(milliseconds: UInt64)
    /// The store has not answered a commit; `WriterLoop.committed` ends the turn.
    case committing
    /// A writer that stops has done all that waited.
    case stopped
}
