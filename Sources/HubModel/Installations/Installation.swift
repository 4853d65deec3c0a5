package import HubVocabulary

/// An installation as a hub keeps it; its registrations are rows of their own.
///
/// Source: REST reference §5, rules A.6.
package struct Installation: Equatable, Sendable {
    /// Its place in lists.
    package var number: InstallationNumber
    /// As its last writer spelled it; compares without ASCII case.
    package var id: [UInt8]
    /// The platform of its registrations.
    package var platform: Platform
    /// The document as canonical JSON, without what the hub alone knows.
    package var text: [UInt8]
    /// Whether the backend gave it a user or protected tags: a Listen token leaves it alone then.
    ///
    /// Source: rules C.4.
    package var isGranted: Bool
    /// When it lapses; nil for never.
    package var expires: Timestamp?

    /// Makes an installation; the directory is the only caller outside tests and stores.
    package init(
        number: InstallationNumber,
        id: [UInt8],
        platform: Platform,
        text: [UInt8],
        isGranted: Bool = false,
        expires: Timestamp? = nil
    ) {
        self.number = number
        self.id = id
        self.platform = platform
        self.text = text
        self.isGranted = isGranted
        self.expires = expires
    }

    /// Its name among all installations of a hub: the id in lower case.
    package var key: [UInt8] { ASCII.lower(id) }
}
