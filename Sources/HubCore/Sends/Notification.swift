package import HubTags

/// To whom a send goes.
package enum NotificationTarget: Sendable {
    /// Every registration of the format.
    case broadcast
    /// Registrations whose tags satisfy an expression.
    case tags(TagExpression)
    /// These handles, whatever their tags; canonical spelling, at most 1,000.
    case handles([[UInt8]])
    /// These registrations, by where they lead: a test send.
    case slots([RegistrationTarget])
}

/// What a send names as its format.
package enum NotificationFormat: Hashable, Sendable {
    /// Native registrations of one platform.
    case native(Platform)
    /// Template registrations of every platform.
    case template
}

/// When a notification stops being worth delivering.
///
/// Source: rules B.8, B.9.
package enum TimeToLive: Hashable, Sendable {
    /// Delivered only to sessions that are live when it is fanned out.
    case transient
    /// Seconds after acceptance, 1...2,419,200.
    case seconds(UInt32)
}

/// `low` may wait for the acknowledgement delay; `high` also reaches dozing devices.
///
/// Never reorders.
package enum NotificationPriority: UInt8, Sendable {
    case veryLow = 0
    case low = 1
    case normal = 2
    case high = 3
}

/// A send that passed every check and waits for its place in the log.
package struct NotificationDraft: Sendable {
    /// Which registrations it is for.
    package var format: NotificationFormat
    /// Whom it reaches.
    package var target: NotificationTarget
    /// Native payload, or the JSON property bag of a template send; at most 65,536 bytes.
    package var body: [UInt8]
    /// Content type as sent; empty when absent.
    package var contentType: [UInt8]
    /// Headers that travel to the device (`apns-*`, `X-WNS-*`, …), names lower-cased ASCII.
    package var headers: [NamedValue]
    /// Time to live.
    package var timeToLive: TimeToLive
    /// At most 64 bytes; empty for none.
    package var collapseKey: [UInt8]
    /// Urgency.
    package var priority: NotificationPriority
    /// Whether devices are asked for displayed and opened receipts.
    package var wantsReceipts: Bool
    /// The expression of a test send, whose target is the few that were chosen by it; empty for
    /// others.
    package var testedExpression: [UInt8] = []
    /// What makes a repeated send the same one; nil when the caller gave no key.
    ///
    /// Stored beside the record, not in it: a record that was read from the log has none. Source:
    /// rules B.14.
    package var idempotency: IdempotencyKey?
    /// Whether the send said nothing of its time to live, so that the hub decides; not stored.
    package var hasDefaultLifetime = false

    /// Makes a draft.
    package init(
        format: NotificationFormat,
        target: NotificationTarget,
        body: [UInt8],
        contentType: [UInt8] = [],
        headers: [NamedValue] = [],
        timeToLive: TimeToLive,
        collapseKey: [UInt8] = [],
        priority: NotificationPriority = .normal,
        wantsReceipts: Bool = false,
        testedExpression: [UInt8] = [],
        idempotency: IdempotencyKey? = nil
    ) {
        self.format = format
        self.target = target
        self.body = body
        self.contentType = contentType
        self.headers = headers
        self.timeToLive = timeToLive
        self.collapseKey = collapseKey
        self.priority = priority
        self.wantsReceipts = wantsReceipts
        self.testedExpression = testedExpression
        self.idempotency = idempotency
    }
}

extension NotificationDraft {
    /// About how many bytes it holds in memory: a batch's handles weigh more than its body.
    package var weight: Int {
        let passed = headers.reduce(0) { $0 + $1.name.count + $1.value.count + 64 }
        let named =
            switch target {
            case .broadcast: 0
            case .tags(let expression): expression.source.count
            case .handles(let handles): handles.reduce(0) { $0 + $1.count + 32 }
            case .slots(let targets): targets.count * 24 + testedExpression.count
            }
        return body.count + passed + named
    }
}

/// A notification at its place in the log: immutable, shared by every shard that delivers it.
package final class NotificationRecord: Sendable {
    /// Dense, in commit order, from 1.
    package let sequence: UInt64
    /// Carries the time of acceptance and the position's check value.
    package let id: NotificationID
    /// What was sent.
    package let draft: NotificationDraft
    /// The property bag of a template send; nil for native ones.
    package let properties: PropertyBag?
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
        properties: PropertyBag?,
        schedule: ScheduleID? = nil,
        anchors: [AnchorKey] = [.everyone]
    ) {
        self.sequence = sequence
        self.id = id
        self.draft = draft
        self.properties = properties
        self.schedule = schedule
        self.anchors = anchors
    }

    /// The same record as what a scheduled notification became.
    package func fired(by schedule: ScheduleID) -> NotificationRecord {
        NotificationRecord(
            sequence: sequence,
            id: id,
            draft: draft,
            properties: properties,
            schedule: schedule,
            anchors: anchors
        )
    }

    /// Whether it is delivered to live sessions only.
    package var isTransient: Bool { draft.timeToLive == .transient }

    /// When it expires by the send's own word; a template may only shorten this.
    package var expires: Timestamp { header.expires }
}
