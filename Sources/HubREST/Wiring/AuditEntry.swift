package import HubVocabulary

/// A change by an administrator, as the audit keeps it.
package struct AuditEntry: Codable, Equatable, Sendable {
    /// Its place in the audit, from 1.
    package var number: UInt64
    /// When it was answered, as text.
    package var time: String
    /// The name of a row of `RouteTable`.
    package var operation: String
    /// The address that was asked, without its version; whole push handles are cut.
    package var subject: String
    /// The access rule that signed its token.
    package var rule: String
    /// The hub that it was about; nil for none.
    package var hub: String?
    /// The `TrackingId` of the answer.
    package var tracking: String
    /// A digest of the line before in its ring of files; absent in the first one.
    package var previous: String?
    /// The operator whom a session of the console names; nil for a request with a token.
    package var by: String?
    /// How far it has come; absent in lines of older releases.
    package var result: String?

    /// `time` as it is compared; nil for a text that is no time.
    package var moment: Timestamp? {
        guard case .time(let found) = TimeText.parse(Array(time.utf8).span) else { return nil }
        return found
    }

    /// Whether it was made in a time; one without a readable time only in all of time.
    package func isWithin(_ span: TimeSpan) -> Bool {
        span.isOpen || moment.map(span.contains) ?? false
    }

    /// The entry of what an operator does in the console.
    package init(_ act: ConsoleAct, number: UInt64, now: Timestamp) {
        self.number = number
        time = TimeText.iso8601(now)
        operation = act.operation
        subject = act.subject
        rule = act.rule
        hub = act.hub?.description
        tracking = act.tracking
        by = act.name
        result = act.result.word
    }

    /// The entry of an answered request; nil when it is no change by an administrator.
    package init?(_ event: RESTEvent, number: UInt64, now: Timestamp) {
        guard event.isAdministrative, event.status < 400, let rule = event.rule else { return nil }
        self.number = number
        time = TimeText.iso8601(now)
        operation = event.operation
        subject = event.subject
        self.rule = rule
        hub = event.hub?.description
        tracking = event.trackingID
        // Without a status its client has gone before the answer.
        result = (event.status == 0 ? AuditResult.begun : .done).word
    }
}
