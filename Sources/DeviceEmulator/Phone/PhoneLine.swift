import FoundationEssentials
package import HubClient

/// Something that the app tells, as one line of JSON.
package struct PhoneLine: Codable, Equatable, Sendable {
    /// What happened.
    package enum Event: String, Codable, Equatable, Sendable {
        /// The app runs: `text` is who is logged in, `tags` are the categories.
        case started
        /// The device has a connection to the hub, or has lost it.
        case connected, disconnected
        /// The user has logged in, or has left.
        case loggedIn, loggedOut
        /// The login of `text` has ended without their doing: they must log in again.
        case loginEnded
        /// The registration is confirmed; `id` is that at the backend.
        case registered
        /// The app has asked its backend something.
        case request
        /// A notification has arrived, before anything is done with it.
        case push
        /// A background fetch has ended: `text` is `newData`, `failed` or `noData`.
        case fetch
        /// The user sees something: `text`, as entry `number` of the inbox.
        case shown
        /// An entry of the inbox, when it is asked for; one has gone from it.
        case entry, removed
        /// The user has opened an entry.
        case opened
        /// A text was sent or refused: `text` is empty, or says what was not sent and why.
        case sent
        /// Notifications are lost, or may be; `text` says why, `lost` how many where that is known.
        case gap
        /// Something went wrong, and the app goes on.
        case problem
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
    /// The number of an entry of the inbox.
    package var number: Int?
    /// What its user can press.
    package var buttons: [String]?
    /// The file in which content is kept.
    package var path: String?
    /// Content that is text.
    package var content: String?
    /// Whether an entry was opened.
    package var isOpened: Bool?
    /// When an entry arrived, in seconds since 1970.
    package var receivedAt: Int64?
    /// How many notifications are lost.
    package var lost: Int?

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

    /// A line about an entry of the inbox.
    package init(_ event: Event, _ entry: InboxEntry) {
        self.event = event
        text = entry.text
        number = entry.number
        id = entry.notification
        isOpened = entry.isOpened
        receivedAt = entry.receivedAt
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
