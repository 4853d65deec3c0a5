import HubModel
import HubVocabulary

/// When the directory turns to scheduled notifications next.
///
/// A schedule is a change of the registrations' transaction, its firing a record of the log's, its
/// removal a change of a later group. The record carries the schedule's id, so a hub that was cut
/// off between firing and removal finds the id in the log when it opens, and only removes.
/// Source: REST §11, rules B.13.
struct Scheduler {
    /// One thing to be queued.
    enum Step {
        case fire
        case removeFired
    }

    private let schedules: ScheduleTable
    /// Whether `fire` is in the queue.
    private var isFiringQueued = false
    /// Whether `removeFired` is in the queue.
    private var isRemovalQueued = false
    /// Nothing fires or is removed before this: the store has just refused it.
    private var notBefore = Instant(nanoseconds: 0)

    /// Looks after some schedules.
    init(_ schedules: ScheduleTable) { self.schedules = schedules }

    /// Whether the store has not refused anything just now.
    func mayWrite(now: Now) -> Bool { now.instant >= notBefore }

    /// Returns the milliseconds until a notification has to fire; nil when none waits.
    func millisecondsUntilDue(now: Now) -> UInt64? {
        guard let due = schedules.nextDue else { return nil }
        // Rounded up, or the owner would wake a moment too early and turn in circles.
        let held = notBefore > now.instant ? notBefore.milliseconds(since: now.instant) + 1 : 0
        return max(due > now.time ? due.milliseconds - now.time.milliseconds : 0, held)
    }

    /// Returns what is due, to be queued behind whatever waits already.
    mutating func tick(now: Now) -> [Step] {
        guard mayWrite(now: now) else { return [] }
        var steps = removal()
        guard let due = schedules.nextDue, due <= now.time, !isFiringQueued else { return steps }
        isFiringQueued = true
        steps.append(.fire)
        return steps
    }

    /// A step is out of the queue.
    mutating func began(_ step: Step) {
        switch step {
        case .fire: isFiringQueued = false
        case .removeFired: isRemovalQueued = false
        }
    }

    /// A group is through: returns the removals that follow; after a refusal all waits for a while.
    mutating func settled(_ outcome: GroupOutcome, now: Now) -> [Step] {
        guard outcome.areChangesDurable, outcome.areRecordsDurable else {
            let wait = UInt64(StoreError.retrySeconds) * 1_000
            notBefore = now.instant.adding(milliseconds: wait)
            return []
        }
        return removal()
    }

    private mutating func removal() -> [Step] {
        guard schedules.hasFired, !isRemovalQueued else { return [] }
        isRemovalQueued = true
        return [.removeFired]
    }
}
