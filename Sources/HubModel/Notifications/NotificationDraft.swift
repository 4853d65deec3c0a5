import HubTags
package import HubTemplates
package import HubVocabulary

/// A send that passed every check and waits for its place in the log.
package struct NotificationDraft: Sendable {
    /// Which registrations it is for.
    package var format: NotificationFormat
    /// Whom it reaches.
    package var target: NotificationTarget
    /// Native payload, or the JSON property bag of a template send; at most 65,536 bytes.
    package var body: [UInt8]
    /// The property bag that was read from the body of a template send; nil for native ones.
    package var properties: PropertyBag?
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
    /// The key by which the hub recognises a repeated send; nil when the caller gave none.
    ///
    /// Stored beside the record, not in it: a record that was read from the log has none. Source:
    /// rules B.14.
    package var idempotency: IdempotencyKey?
    /// Whether the send said nothing of its time to live, so that the hub decides; not stored.
    package var hasDefaultLifetime = false
    /// The request that it came with, when that is traced; not stored.
    package var trace: RequestTrace?

    /// Makes a draft.
    package init(
        format: NotificationFormat,
        target: NotificationTarget,
        body: [UInt8],
        properties: PropertyBag? = nil,
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
        self.properties = properties
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
