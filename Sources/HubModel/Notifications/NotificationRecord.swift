package import HubVocabulary

/// A notification at its place in the log: immutable, shared by every shard that delivers it.
package final class NotificationRecord: Sendable {
    /// Dense, in commit order, from 1.
    package let sequence: UInt64
    /// Carries the time of acceptance and the position's check value.
    package let id: NotificationID
    /// The send as the hub accepted it.
    package let draft: NotificationDraft
    /// The scheduled notification that became this record; nil for one that was sent at once.
    package let schedule: ScheduleID?
    /// Under which lists it is found: ascending, each once; chosen at acceptance.
    package let anchors: [AnchorKey]
    /// Parcels made so far, one per variant, shared by all shards.
    package let parcels = ParcelShelf()

    /// Puts a draft at its place.
    package init(
        sequence: UInt64,
        id: NotificationID,
        draft: NotificationDraft,
        schedule: ScheduleID? = nil,
        anchors: [AnchorKey] = [.everyone]
    ) {
        self.sequence = sequence
        self.id = id
        self.draft = draft
        self.schedule = schedule
        self.anchors = anchors
    }

    /// The same record as what a scheduled notification became.
    package func fired(by schedule: ScheduleID) -> NotificationRecord {
        NotificationRecord(
            sequence: sequence,
            id: id,
            draft: draft,
            schedule: schedule,
            anchors: anchors
        )
    }

    /// The same record with another idempotency key, or with none, and no parcels made.
    package func keyed(_ key: IdempotencyKey?) -> NotificationRecord {
        var draft = draft
        draft.idempotency = key
        return NotificationRecord(
            sequence: sequence,
            id: id,
            draft: draft,
            schedule: schedule,
            anchors: anchors
        )
    }

    /// Whether it is delivered to live sessions only.
    package var isTransient: Bool { draft.timeToLive == .transient }

    /// When it expires by the send's own word; a template may only shorten this.
    package var expires: Timestamp { header.expires }
}
