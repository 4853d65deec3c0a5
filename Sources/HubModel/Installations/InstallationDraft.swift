package import HubVocabulary

/// A validated installation and the registrations it stands for, ready for the directory.
///
/// Source: REST reference §5.5.
package struct InstallationDraft: Sendable {
    /// As the client spelled it.
    package let id: [UInt8]
    /// Of all its registrations.
    package let platform: Platform
    /// When it lapses; nil for never.
    package let expires: Timestamp?
    /// The document as it is stored, canonical JSON.
    package let text: [UInt8]
    /// The registrations it stands for: for each channel a native one, then one for each template.
    ///
    /// `$InstallationId:{…}` is not among their tags yet: the directory writes it.
    package let parts: [RegistrationContent]

    /// Makes a draft of parts that were checked.
    package init(
        id: [UInt8],
        platform: Platform,
        expires: Timestamp?,
        text: [UInt8],
        parts: [RegistrationContent]
    ) {
        self.id = id
        self.platform = platform
        self.expires = expires
        self.text = text
        self.parts = parts
    }
}
