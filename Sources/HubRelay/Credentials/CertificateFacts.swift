package import HubVocabulary

/// The facts of a client certificate that opened and whose key fits.
package struct CertificateFacts: Hashable, Sendable {
    /// The app's bundle id; empty when the certificate names none.
    package var topic: String
    /// Valid from here.
    package var starts: Timestamp
    /// Valid until here.
    package var ends: Timestamp

    /// Makes facts of their parts.
    package init(topic: String, starts: Timestamp, ends: Timestamp) {
        self.topic = topic
        self.starts = starts
        self.ends = ends
    }
}
