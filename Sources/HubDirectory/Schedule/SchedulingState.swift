import HubVocabulary

// Scheduled notifications: kept, listed, cancelled, fired. Source: REST §11, rules B.13.
//
// A schedule is a change of the registrations' transaction, its firing a record of the log's, its
// removal a change of a later group. The record carries the schedule's id, so a hub that was cut off
// between firing and removal finds the id in the log when it opens, and only removes.

/// When the directory turns to scheduled notifications next.
struct SchedulingState {
    /// A `fireSchedules` is in the queue.
    var isFiringQueued = false
    /// A `removeFiredSchedules` is in the queue.
    var isRemovalQueued = false
    /// Nothing fires or is removed before this: the store has just refused it.
    var notBefore = Instant(nanoseconds: 0)
}
