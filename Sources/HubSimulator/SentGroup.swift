import HubModel

/// A group on its way to the database and back.
struct SentGroup {
    /// The database's answer, before the process has heard it.
    var outcome: CommitResult?
    /// The database's answer that was lost on its way.
    var lost: CommitResult?
    /// It may be stored, and no answer comes.
    var isInDoubt = false
    /// When it is given up, in microseconds.
    var givesUpAt: UInt64 = 0
}
