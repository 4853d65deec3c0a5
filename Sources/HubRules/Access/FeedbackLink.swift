import Crypto
package import HubVocabulary

/// An address that is its own permission: with it a client reads one subject until it expires.
///
/// Source: REST reference §12.
package struct FeedbackLink: Hashable, Sendable {
    /// The subject that a link's holder may read.
    package enum Subject: Hashable, Sendable {
        /// The journal of departures.
        case container
        /// The failures that kept one notification from registrations that it was for.
        case errors(NotificationID)
    }

    /// The subject that its holder may read.
    package var subject: Subject
    /// Until when; whole seconds count.
    package var expires: Timestamp

    /// Makes a link.
    package init(_ subject: Subject, expires: Timestamp) {
        self.subject = subject
        self.expires = expires
    }
}
