import Crypto
package import HubVocabulary

/// An address that is its own permission: whoever has it may read what it names until it expires.
///
/// Source: REST reference §12.
package struct FeedbackLink: Hashable, Sendable {
    /// What a link leads to.
    package enum Subject: Hashable, Sendable {
        /// The journal of departures.
        case container
        /// What kept one notification from those it was for.
        case errors(NotificationID)
    }

    /// What it leads to.
    package var subject: Subject
    /// Until when; whole seconds count.
    package var expires: Timestamp

    /// Makes a link.
    package init(_ subject: Subject, expires: Timestamp) {
        self.subject = subject
        self.expires = expires
    }
}
