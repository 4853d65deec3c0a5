package import HubVocabulary

/// A running server as its operators see it.
package struct ServerDescription: Sendable {
    /// The release.
    package var version: String
    /// When its process began to serve.
    package var started: Timestamp
    /// When the certificate of its listeners ends; nil when that is not known.
    package var certificateEnd: Timestamp?
    /// When its numbers were last read; nil for never.
    package var numbersRead: Timestamp?
    /// Every setting that is in force.
    package var settings: [ServerSetting]

    /// Describes a server.
    package init(
        version: String,
        started: Timestamp,
        certificateEnd: Timestamp?,
        numbersRead: Timestamp? = nil,
        settings: [ServerSetting]
    ) {
        self.version = version
        self.started = started
        self.certificateEnd = certificateEnd
        self.numbersRead = numbersRead
        self.settings = settings
    }
}
