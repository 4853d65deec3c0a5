package import HubVocabulary

/// A hub's relay to one push service.
package struct RelayFacts: Sendable {
    /// The platform, as the relay's row has it.
    package var platform: String
    /// Why the service refuses the credential; nil while it does not.
    package var refusal: String?
    /// When the client certificate ends; nil without one.
    package var certificateEnd: Timestamp?

    /// Makes one of its parts.
    package init(platform: String, refusal: String? = nil, certificateEnd: Timestamp? = nil) {
        self.platform = platform
        self.refusal = refusal
        self.certificateEnd = certificateEnd
    }
}
