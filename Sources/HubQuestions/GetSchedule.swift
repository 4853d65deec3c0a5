package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads a scheduled notification that has not fired.
package struct GetSchedule: HubQuestion {
    /// Its id.
    package let id: ScheduleID

    /// Makes the question.
    package init(_ id: ScheduleID) {
        self.id = id
    }

    package func answer(_ hub: HubView) throws(Refusal) -> ScheduledNotification {
        guard let found = hub.schedules[id] else { throw .scheduleNotFound }
        return found
    }
}
