package import HubVocabulary

/// A send that passed every check and waits for its time; it takes its place in the log then.
///
/// Source: REST §11.
package struct ScheduledNotification: Sendable {
    /// Its name; the record that it becomes carries it.
    package let id: ScheduleID
    /// When it fires.
    package let due: Timestamp
    /// The time that the send named as its expiry; nil when it named none or only seconds, which
    /// count from firing.
    package let notAfter: Timestamp?
    /// The send.
    package let draft: NotificationDraft

    /// Makes a scheduled notification.
    package init(
        id: ScheduleID,
        due: Timestamp,
        notAfter: Timestamp? = nil,
        draft: NotificationDraft
    ) {
        self.id = id
        self.due = due
        self.notAfter = notAfter
        self.draft = draft
    }

    /// Its place among the others.
    package var place: SchedulePlace { SchedulePlace(due: due, id: id) }

    /// The idempotency key that is stored with it; nil when it has none.
    package var storedKey: StoredKey? {
        draft.idempotency.map { StoredKey(key: $0, outcome: .scheduled(id), time: id.time) }
    }

    /// Its weight against `scheduleBytesMax`, in bytes.
    package var bytes: Int {
        let headers = draft.headers.reduce(0) { $0 + $1.name.count + $1.value.count }
        return 512 + draft.body.count + headers
    }

    /// Returns the draft that goes into the log when it fires.
    ///
    /// An expiry that was named as a time does not move when the notification is late.
    ///
    /// Its idempotency key stays behind: it counts from when the notification was scheduled.
    package func draft(firedAt now: Timestamp) -> NotificationDraft {
        var fired = draft
        fired.idempotency = nil
        guard let notAfter, case .seconds(let seconds) = draft.timeToLive else { return fired }
        guard notAfter > now else {
            fired.timeToLive = .transient
            return fired
        }
        let left = (notAfter.milliseconds - now.milliseconds + 999) / 1_000
        fired.timeToLive = .seconds(UInt32(min(UInt64(seconds), left)))
        return fired
    }
}
