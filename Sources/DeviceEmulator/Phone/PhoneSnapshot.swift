package import HubClient

/// An app's state at one moment.
package struct PhoneSnapshot: Equatable, Sendable {
    /// The user's name; nil when no user has logged in.
    package var user: String?
    /// Whether that user can still be proved to the backend.
    package var isLoggedIn: Bool
    /// Whether the backend has confirmed the registration, so that its user can send.
    package var isRegistered: Bool
    /// Whether there is a backend to log in at.
    package var hasBackend: Bool
    /// Whether it can subscribe without a login.
    package var hasListenKey: Bool
    /// Whether it was given a key to send the news with.
    package var hasSendKey: Bool
    /// The platform that it plays.
    package var platform: Platform
    /// The categories that are switched on.
    package var categories: [String]
    /// The language of the news.
    package var locale: String?
    /// The inbox, oldest first.
    package var entries: [InboxEntry]

    /// The state of an app that has just been installed.
    package init(
        user: String? = nil,
        isLoggedIn: Bool = false,
        isRegistered: Bool = false,
        hasBackend: Bool,
        hasListenKey: Bool,
        hasSendKey: Bool = false,
        platform: Platform = .apple,
        categories: [String] = [],
        locale: String? = nil,
        entries: [InboxEntry] = []
    ) {
        self.user = user
        self.isLoggedIn = isLoggedIn
        self.isRegistered = isRegistered
        self.hasBackend = hasBackend
        self.hasListenKey = hasListenKey
        self.hasSendKey = hasSendKey
        self.platform = platform
        self.categories = categories
        self.locale = locale
        self.entries = entries
    }
}

extension PhoneSnapshot {
    /// The beginning of a screen.
    package init(of app: isolated PhoneApp) {
        // The login is there, or it is not.
        let isLoggedIn = (try? app.credentials()) != nil
        self.init(
            user: app.memory.user,
            isLoggedIn: isLoggedIn,
            isRegistered: app.isRegistered,
            hasBackend: app.configuration.backend != nil,
            hasListenKey: app.hasListenKey,
            hasSendKey: app.configuration.sendKey != nil,
            platform: app.configuration.platform,
            categories: app.memory.categories,
            locale: app.memory.locale,
            entries: app.inbox.entries
        )
    }
}
