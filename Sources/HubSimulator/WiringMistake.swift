/// A mistake of the simulated threads around the loops, to show that the simulator notices it.
///
/// Each was once made by the server's threads.
package enum WiringMistake: CaseIterable, Sendable {
    /// A page that finds the mailbox full is put aside only when the shard has emptied the mailbox
    /// and looked: it lies there until other mail comes.
    case pagePutAsideLate
    /// A shard without connections is not woken for its report.
    case idleShardNotWoken
}
