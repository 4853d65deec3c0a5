/// A mistake of the simulated threads and stores around the loops, to show that the simulator
/// notices it.
///
/// Mistakes inside the core are the patches in `Tests/Mutants`.
package enum WiringMistake: String, CaseIterable, Sendable {
    /// A page that finds the mailbox full is put aside only when the shard has emptied the mailbox
    /// and looked: it lies there until other mail comes.
    ///
    /// The server's threads once made this mistake.
    case pagePutAsideLate
    /// A shard without connections is not woken for its report, as it once happened.
    case idleShardNotWoken
    /// A feed item is dropped, and the shard does not hear of it.
    case feedItemDropped
    /// The store removes records that have not expired.
    case trimmedStillOwed
    /// The store says that a group is durable, and forgets it.
    case groupForgotten
    /// A node whose lease may have ended says what it knows.
    case servesAfterLease
    /// The database stores a group of a leader whose fence another has raised.
    case commitWithoutFence
    /// A group whose answer was lost counts as not stored.
    case doubtDropped

    /// Whether only nodes can make it.
    package var isOfNodes: Bool {
        switch self {
        case .servesAfterLease, .commitWithoutFence, .doubtDropped: true
        case .pagePutAsideLate, .idleShardNotWoken, .feedItemDropped, .trimmedStillOwed,
            .groupForgotten:
            false
        }
    }
}
