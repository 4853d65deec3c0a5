import HubModel
package import HubVocabulary

/// Takes a notification back that has not fired; succeeds only if the log has no record of it.
package struct CancelSchedule: HubChange {
    /// Its id.
    package let id: ScheduleID

    /// Takes back the one with an id.
    package init(_ id: ScheduleID) { self.id = id }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Void> {
        switch hub.schedules.cancel(id, kept: hub.terms.limits.schedules.cancelledKeptMax) {
        case .cancelled: PlannedAnswer(.success(()), needs: .changes)
        case .firing: PlannedAnswer(.failure(.scheduleNotFound), needs: .records)
        case .unknown: PlannedAnswer(.failure(.scheduleNotFound), needs: .changes)
        }
    }
}
