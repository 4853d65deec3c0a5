package import HubModel
package import HubVocabulary

/// Keeps a notification until its time; one whose time has passed goes into the log at once.
package struct ScheduleSend: HubChange {
    /// The request.
    package let request: ScheduleRequest

    /// Keeps what a request says.
    package init(_ request: ScheduleRequest) { self.request = request }

    /// Bytes of the draft, about.
    package var bodyBytes: Int { request.draft.weight }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<ScheduleID> {
        let known: KnownKey?
        do throws(Refusal) {
            known = try hub.outbox.reading { () throws(StoreError) in
                try hub.sends.find(request.draft.idempotency, now: now.time)
            }
        } catch { return PlannedAnswer(.failure(error), needs: .nothing) }
        do throws(Refusal) {
            try request.draft.requireProperties()
            if let known { return PlannedAnswer(known.schedule, needs: known.needs) }
            let schedule = ScheduledNotification(
                id: hub.identifiers.schedule(now: now.time),
                due: request.due,
                notAfter: request.notAfter,
                draft: hub.settings.limited(request.draft)
            )
            guard schedule.due > now.time else {
                var draft = schedule.draft(firedAt: now.time)
                draft.idempotency = request.draft.idempotency
                hub.append(draft, schedule: schedule.id)
                return PlannedAnswer(.success(schedule.id), needs: .records)
            }
            try requireRoom(for: schedule, hub)
            hub.schedules.add(schedule)
            if let key = schedule.storedKey { hub.sends.remember(key, isRecord: false) }
            return PlannedAnswer(.success(schedule.id), needs: .changes)
        } catch {
            return PlannedAnswer(.failure(error), needs: .changes)
        }
    }

    private func requireRoom(
        for schedule: ScheduledNotification,
        _ hub: HubState
    ) throws(Refusal) {
        let limits = hub.terms.limits
        guard hub.schedules.count < limits.schedules.schedulesMax else {
            throw .tooMany(what: "scheduled notifications", limit: limits.schedules.schedulesMax)
        }
        guard hub.schedules.bytes + schedule.bytes <= limits.schedules.scheduleBytesMax else {
            throw .tooMany(
                what: "bytes of scheduled notifications",
                limit: limits.schedules.scheduleBytesMax
            )
        }
    }
}
