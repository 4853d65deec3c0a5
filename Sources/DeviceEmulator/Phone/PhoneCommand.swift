/// Something that the app is told to do, as one line of JSON.
package struct PhoneCommand: Codable, Equatable, Sendable {
    /// The kind of command.
    package enum Action: String, Codable, CaseIterable, Equatable, Sendable {
        /// Log in as `user` with `password`, and register with `tags`.
        case logIn
        /// Forget the login, and have the backend forget every device of the user.
        case logOut
        /// Subscribe to `tags` in the language `locale`; `text` is a template instead of its own.
        case subscribe
        /// Send `text` to `user` on `platforms`.
        case send
        /// Send `text` to each of the six categories, with the send key `key`.
        case sendNews
        /// Send the scenario's image to oneself, or secure `text` to `user`.
        case sendRich, sendSecure
        /// Open the entry `number` of the inbox; without one what was shown last.
        case open
        /// Tell of every entry of the inbox.
        case inbox
        /// Play a device whose handle has changed, and register again.
        case newHandle
        /// Register again, as at every start.
        case register
        /// Drop the access token, as if it had ended.
        case forgetToken
    }

    /// The kind of command.
    package var action: Action
    /// A user's name.
    package var user: String?
    /// A password.
    package var password: String?
    /// Tags to register with.
    package var tags: [String]?
    /// A text or template.
    package var text: String?
    /// Platforms to send to, as words of `pns`.
    package var platforms: [String]?
    /// A language: `en`, `fr`, `zh`, or nothing for none.
    package var locale: String?
    /// A connection string with the right to send.
    package var key: String?
    /// The number of an entry of the inbox.
    package var number: Int?

    /// A command of its parts.
    package init(
        _ action: Action,
        user: String? = nil,
        password: String? = nil,
        tags: [String]? = nil,
        text: String? = nil,
        platforms: [String]? = nil
    ) {
        self.action = action
        self.user = user
        self.password = password
        self.tags = tags
        self.text = text
        self.platforms = platforms
    }
}
