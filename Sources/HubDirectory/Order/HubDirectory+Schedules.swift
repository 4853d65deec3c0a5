import HubModel
package import HubVocabulary

extension HubDirectory {
    /// Milliseconds until a scheduled notification has to fire, for the owner's sleep; nil when
    /// none waits.
    package func millisecondsUntilDue(now: Now) -> UInt64? {
        guard !isStopping, let due = schedules.nextDue else { return nil }
        let notBefore = scheduling.notBefore
        // Rounded up, or the owner would wake a moment too early and turn in circles.
        let held = notBefore > now.instant ? notBefore.milliseconds(since: now.instant) + 1 : 0
        return max(due > now.time ? due.milliseconds - now.time.milliseconds : 0, held)
    }

    // MARK: Commands

    /// Keeps a notification for later; one whose time has passed goes into the log at once.
    func plan(_ request: ScheduleRequest, _ token: RequestToken, now: Now) {
        do throws(Refusal) {
            try requireProperties(request.draft)
            if answerRepeated(request.draft.idempotency, token, now: now) { return }
            let schedule = ScheduledNotification(
                id: ScheduleID.make(now: now.time, random: &random),
                due: request.due,
                notAfter: request.notAfter,
                draft: settingsBook.limited(request.draft)
            )
            let reply = Result<HubReply, Refusal>.success(.scheduled(schedule.id))
            guard schedule.due > now.time else {
                var draft = schedule.draft(firedAt: now.time)
                draft.idempotency = request.draft.idempotency
                _ = append(draft, schedule: schedule.id, now: now)
                answers.append(.recorded(token, reply))
                return
            }
            try requireRoom(for: schedule)
            schedules.add(schedule)
            if let key = schedule.storedKey { sends.remember(key, isRecord: false) }
            answers.append(.changed(token, reply))
        } catch {
            answers.append(.changed(token, .failure(error)))
        }
    }

    private func requireRoom(for schedule: ScheduledNotification) throws(Refusal) {
        guard schedules.count < limits.schedulesMax else {
            throw .tooMany(what: "scheduled notifications", limit: limits.schedulesMax)
        }
        guard schedules.bytes + schedule.bytes <= limits.scheduleBytesMax else {
            throw .tooMany(what: "bytes of scheduled notifications", limit: limits.scheduleBytesMax)
        }
    }

    /// Takes a notification back; the answer is success only if the log has no record of it.
    func cancel(_ id: ScheduleID, _ token: RequestToken) {
        switch schedules.cancel(id, kept: limits.cancelledKeptMax) {
        case .cancelled: answers.append(.changed(token, .success(.deleted)))
        case .firing: answers.append(.recorded(token, .failure(.scheduleNotFound)))
        case .unknown: answers.append(.changed(token, .failure(.scheduleNotFound)))
        }
    }

    /// A page of those that wait.
    func listSchedules(after place: SchedulePlace?, limit: Int) -> HubReply {
        let count = max(1, min(limit, limits.pageSchedulesMax))
        var page = schedules.page(after: place, limit: count + 1)
        guard page.count > count else { return .schedules(page, next: nil) }
        page.removeLast()
        return .schedules(page, next: page.last?.place)
    }

    // MARK: Firing

    /// Queues what is due, behind whatever waits already.
    func tickSchedules(now: Now) {
        guard !isStopping, now.instant >= scheduling.notBefore else { return }
        if schedules.hasFired { queueRemoval() }
        guard let due = schedules.nextDue, due <= now.time, !scheduling.isFiringQueued else {
            return
        }
        scheduling.isFiringQueued = true
        queue.append(.fireSchedules)
    }

    private func queueRemoval() {
        guard !scheduling.isRemovalQueued else { return }
        scheduling.isRemovalQueued = true
        queue.append(.removeFiredSchedules)
    }

    /// Makes records of what is due, in due order, as many as the group has room for; the rest is
    /// due at the next tick.
    func fireSchedules(now: Now) {
        scheduling.isFiringQueued = false
        while records.count < limits.groupMax, let schedule = schedules.fire(now: now.time) {
            let draft = schedule.draft(firedAt: now.time)
            _ = append(draft, schedule: schedule.id, now: now)
        }
    }

    /// Removes what is in the log, as much as the group has room for.
    func removeFiredSchedules() {
        scheduling.isRemovalQueued = false
        schedules.removeFired(limit: limits.groupMax - touchedCount)
    }

    /// Queues the removals that follow; after a refusal all waits for a while.
    func settleSchedules(_ outcome: GroupOutcome, now: Now) {
        guard outcome.areChangesDurable, outcome.areRecordsDurable else {
            let wait = UInt64(Self.retrySeconds) * 1_000
            scheduling.notBefore = now.instant.adding(milliseconds: wait)
            return
        }
        if schedules.hasFired { queueRemoval() }
    }
}
