package import HubVocabulary

/// A send for later that passed every check.
package struct ScheduleRequest: Sendable {
    /// The send.
    package var draft: NotificationDraft
    /// When; a time that has passed means at once.
    package var due: Timestamp
    /// The time that the send named as its expiry; nil when it named none or only seconds.
    package var notAfter: Timestamp?

    /// Makes a request.
    package init(draft: NotificationDraft, due: Timestamp, notAfter: Timestamp? = nil) {
        self.draft = draft
        self.due = due
        self.notAfter = notAfter
    }
}
