package import HubVocabulary

/// A code for an operator's eyes.
package struct ConsoleCode: Sendable {
    /// The code.
    package var text: String
    /// When it stops to work.
    package var expires: Timestamp
    /// Lets console requests through from other machines; nil for a confirmation.
    package var relay: String?

    /// Makes one of its parts.
    package init(text: String, expires: Timestamp, relay: String?) {
        self.text = text
        self.expires = expires
        self.relay = relay
    }
}
