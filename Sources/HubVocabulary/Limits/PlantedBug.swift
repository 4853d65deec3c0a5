/// Mistakes that are made on purpose, to show that the simulator notices them.
///
/// Each is the smallest change at the place where the core decides. They exist in debug builds
/// only: elsewhere `PlantedBugs.has` is constant and nothing of them remains.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// Callers are answered before the store has spoken.
    case acknowledgeBeforeCommit
    /// A session that falls behind goes on at the head: what it could not take is gone.
    case watermarkLosesGap
    /// A resumed device is taken to be one record further than it says.
    case resumeTooLate
    /// A resumed device is taken to be one record behind what it says.
    case resumeTooEarly
    /// A request that is repeated with its key counts as a new one.
    case duplicateOnRetry
    /// A device that takes its session over goes on at the hub's cursor, not at its own position.
    case duplicateOnTakeover
    /// Who catches up is matched by the tags of today.
    case tagsAsOfNow
    /// Who catches up is matched by the tags of the moment at which it came back.
    case tagsAsOfResume
    /// A position of an older epoch is taken without a look at its check value.
    case epochIgnored
    /// A position's check value is not compared.
    case checkIgnored
    /// A notification that waits for a device is replaced by one that another device got.
    case collapseAcrossDevices
    /// A notification that a device has already stored counts as replaced by a later one.
    case collapseOfSentEntry
    /// The entries of one record are sent without the flag that more follow.
    case groupWithoutContinues
    /// An acknowledgement does not set a session going that waits for its window.
    case windowDeadlock
    /// The cursor moves when something is sent.
    case cursorMovedOnSend
    /// Registration changes are published although the store refused them.
    case changePublishedBeforeCommit
    /// A feed item that a slow shard had no room for is forgotten.
    case feedItemDropped
    /// Fan-out and missed sets do not look whether a notification has expired.
    case expiredDelivered
    /// Transient notifications are delivered to who comes later.
    case transientInCatchUp
    /// A removed registration stays in the index.
    case deletedRegistrationDelivered
    /// A scheduled notification that fired before a crash fires again.
    case scheduleFiredTwice
    /// Idempotency keys are not loaded when the hub starts.
    case keyForgottenAtRestart
    /// A key that was used for another notification gets that one's answer.
    case keyForAnyNotification
    /// Of many sends, those behind one that the store refused are tried all the same.
    case restBehindRefusal
    /// A patch changes an installation's document and not its registrations.
    case patchOfDocumentOnly
    /// Records that have not expired are removed for their age.
    case trimmedStillOwed
    /// An age below zero, after the clock went back, counts as a very great one.
    case clockStepExpiresAll
    /// Counters become durable without the cursors that caused them.
    case countersDoubledAfterCrash
    /// Records that the store refused are published, and their numbers used again.
    case headReusedAfterFailedCommit
}
