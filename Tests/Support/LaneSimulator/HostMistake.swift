/// A mistake around the lane that its checkers must notice; none is in code that ships.
///
/// Mistakes within the lane are patches in `Tests/Mutants`.
package enum HostMistake: CaseIterable, Sendable {
    /// The mark passes what has no answer yet.
    case markBeforeAnswer
    /// Counts become durable without the mark.
    case countsWithoutMark
    /// The numbers that are done out of order are left out of the mark.
    case doneSetLost
    /// Rows of deferred notifications are not stored.
    case deferredLost
    /// A dead handle is asked again.
    case goneRetried
    /// The pause that the service asked for is not told to the lane.
    case retryAfterIgnored
    /// Requests that were not processed count as done.
    case goAwayLost
    /// An answer is told before it came.
    case answerGuessed
    /// Registrations are removed for a wrong credential.
    case removedForCredential
    /// The service's rest is forgotten at every turn.
    case restForgotten
    /// An operator hears that records are given up before the store has it.
    case skipAnsweredAtOnce
    /// A purge is not told to a lane that begins.
    case purgeForgottenAtRestart
    /// The hash of a collapse key leaves the target out.
    case collapseWithoutTarget
    /// A refusal of one device's own content is told as one of all.
    case contentShared
}
