import FoundationEssentials
package import HubClient

/// Something that the app tells, as one line of JSON.
package struct PhoneLine: Codable, Equatable, Sendable {
    /// What happened.
    package enum Event: String, Codable, Equatable, Sendable {
        /// The device has a connection to the hub.
        case connected
        /// The user has logged in, or has left.
        case loggedIn, loggedOut
        /// The registration is confirmed.
        case registered
        /// The app has asked its backend something.
        case request
        /// A notification has arrived, before anything is done with it.
        case push
        /// A background fetch has ended: `text` is `newData`, `failed` or `noData`.
        case fetch
        /// The user sees something: `text`.
        case shown
        /// The user has opened rich content.
        case opened
        /// A text to a user was sent or refused: `text` is empty, or what the app shows.
        case sent
        /// A command is done; `text` says what went wrong.
        case done
    }

    /// What happened.
    package var event: Event
    /// A text for people.
    package var text: String?
    /// The path of a request, with method and query.
    package var request: String?
    /// Headers of a request without secrets.
    package var headers: [String]?
    /// The body of a request.
    package var body: String?
    /// The status of an answer.
    package var status: Int?
    /// The media type of an answer or of content.
    package var mediaType: String?
    /// How many bytes an answer or content has.
    package var bytes: Int?
    /// The first and the last eight bytes of content, in hex.
    package var ends: String?
    /// The id of a notification, content or registration.
    package var id: String?
    /// The payload of a notification.
    package var payload: String?
    /// The frame that brought it, in hex.
    package var frame: String?
    /// Headers of the send that travelled to the device.
    package var travelled: [String]?
    /// The tags of a registration.
    package var tags: [String]?

    /// A line about an event.
    package init(_ event: Event, text: String? = nil) {
        self.event = event
        self.text = text
    }

    /// A line about a request and its answer.
    package init(_ exchange: BackendExchange) {
        event = .request
        request = "\(exchange.method) \(exchange.path)"
        headers = exchange.headers
        body = String(decoding: exchange.body, as: UTF8.self)
        status = exchange.status
        mediaType = exchange.mediaType
        bytes = exchange.answer.count
        if !exchange.message.isEmpty { text = exchange.message }
    }

    /// A line about a notification with the frame that brought it.
    package init(_ notification: ReceivedNotification) {
        event = .push
        id = notification.id.uuidText
        payload = notification.text
        frame = notification.frame.map(Self.hex).joined()
        travelled = notification.headers.map { "\($0.name): \($0.value)" }
    }

    /// A byte as two digits.
    package static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// The line as JSON.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // There is nothing in it but texts and whole numbers.
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("a line holds only what JSON can hold")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Something that the app is told to do, as one line of JSON.
package struct PhoneCommand: Codable, Equatable, Sendable {
    /// What to do.
    package enum Action: String, Codable, Equatable, Sendable {
        /// Log in as `user` with `password`, and register with `tags`.
        case logIn
        /// Forget the login, and have the backend forget every device of the user.
        case logOut
        /// Subscribe to `tags` with the Listen key of the hub, with the template `text`.
        case subscribe
        /// Send `text` to `user` on `platforms`.
        case send
        /// Open what is shown last.
        case open
        /// Play a device whose handle has changed, and register again.
        case newHandle
        /// Register again, as at every start.
        case register
        /// Send the scenario's image, or secure `text` to `user`.
        case sendRich, sendSecure
        /// Drop the access token, as if it had ended.
        case forgetToken
    }

    /// What to do.
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
