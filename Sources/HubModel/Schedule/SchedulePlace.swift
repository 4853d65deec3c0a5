package import HubVocabulary

/// A place in the order in which scheduled notifications fire: by time, ties by id.
package struct SchedulePlace: Hashable, Comparable, Sendable {
    /// When it fires.
    package var due: Timestamp
    /// Which one.
    package var id: ScheduleID

    /// Makes a place.
    package init(due: Timestamp, id: ScheduleID) {
        self.due = due
        self.id = id
    }

    package static func < (left: SchedulePlace, right: SchedulePlace) -> Bool {
        (left.due, left.id) < (right.due, right.id)
    }
}
