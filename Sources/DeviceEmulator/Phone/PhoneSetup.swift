package import HubClient

/// The settings of an app on a phone.
package struct PhoneSetup: Sendable {
    /// Its backend; nil for an app with a Listen key.
    package var backend: BackendFile?
    /// The hub, for an app with a Listen key.
    package var connection: ConnectionFile?
    /// The platform that it plays.
    package var platform: Platform
    /// The folder where it remembers; it is there and this app's alone.
    package var folder: String
    /// The expiry expression of its template; `0` is now or never.
    package var templateExpiry = ""
    /// A connection string with the right to send the news; its user may give one later.
    package var sendKey: String?
    /// Whether the user looks at it: content is shown at once.
    package var isInForeground = true
    /// How long after a fetch it tells its user when it is in the background.
    package var backgroundDelay: Duration = .seconds(5)
    /// How long it waits for its first connection.
    package var patience: Duration = .seconds(15)
    /// How long it waits for its backend.
    package var backendPatience = BackendPatience.standard

    /// An app of a platform that remembers in a folder.
    package init(platform: Platform, folder: String) {
        self.platform = platform
        self.folder = folder
    }
}
