package import HubModel
package import HubVocabulary

/// A notification for one registration, rendered, before a service's own form is given to it.
package struct RelayNotification: Sendable {
    /// The native payload, or a template's rendering.
    package var body: [UInt8]
    /// Headers of the send that its platform's devices get, names in lower case.
    package var headers: [NamedValue]
    /// Until when it is worth sending.
    package var lifetime: Lifetime
    /// Urgency.
    package var priority: NotificationPriority
    /// At most 64 bytes; empty for none.
    package var collapseKey: [UInt8]
    /// Which record and registration it is of.
    package var identifier: RelayIdentifier

    /// Makes one of its parts.
    package init(
        body: [UInt8],
        headers: [NamedValue],
        lifetime: Lifetime,
        priority: NotificationPriority,
        collapseKey: [UInt8],
        identifier: RelayIdentifier
    ) {
        self.body = body
        self.headers = headers
        self.lifetime = lifetime
        self.priority = priority
        self.collapseKey = collapseKey
        self.identifier = identifier
    }

    /// A native notification of the log.
    package init(_ record: NotificationRecord, _ identifier: RelayIdentifier) {
        self.init(
            body: record.draft.body,
            headers: record.draft.headers,
            lifetime: Lifetime(expires: record.expires, isTransient: record.isTransient),
            priority: record.draft.priority,
            collapseKey: record.draft.collapseKey,
            identifier: identifier
        )
    }

    /// Whole seconds that are left, rounded up; 0 for now or never.
    ///
    /// A notification that waited for an hour must not get its whole life from the service again.
    package func secondsLeft(now: Timestamp) -> UInt64 {
        guard !lifetime.isTransient, lifetime.expires > now else { return 0 }
        return (lifetime.expires.milliseconds - now.milliseconds + 999) / 1_000
    }

    /// The value of a header of the send.
    func header(_ name: String) -> String? {
        headers.first { $0.name.elementsEqual(name.utf8) }.map {
            String(decoding: $0.value, as: UTF8.self)
        }
    }
}
