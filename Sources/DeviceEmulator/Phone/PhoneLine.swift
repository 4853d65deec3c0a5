import HubClient
import HubVocabulary

/// Something that the app tells, as one line of JSON: the member `event` says what, the others
/// depend on it.
package enum PhoneLine: Equatable, Sendable {
    /// The app runs; `user` is logged in.
    case started(user: String?, categories: [String])
    /// The device has a connection to the hub.
    case connected
    /// The device has lost its connection, or got none; milliseconds until it tries again, where it
    /// does.
    case disconnected(retryInMilliseconds: UInt64?)
    /// The user has logged in.
    case loggedIn(user: String)
    /// The user has left.
    case loggedOut
    /// The login has ended without the user's doing: they must log in again.
    case loginEnded(user: String)
    /// A registration is confirmed.
    case registered(Registered)
    /// The app has asked its backend something.
    case request(Request)
    /// A notification has arrived, before anything is done with it.
    case push(Push)
    /// A background fetch has ended.
    case fetch(Fetch)
    /// The user sees something new.
    case shown(Shown)
    /// An entry of the inbox, when it is asked for.
    case entry(Item)
    /// An entry has gone from the inbox.
    case removed(Item)
    /// The user has opened an entry.
    case opened(Opened)
    /// A text was sent, but for what `problems` names.
    case sent(problems: String)
    /// Notifications are lost, or may be; how many where that is known.
    case gap(reason: String, lost: Int?)
    /// Something went wrong, and the app goes on.
    case problem(String)
    /// A command is done, or has failed.
    case done(fault: String?)

    /// A registration of the device.
    package struct Registered: Codable, Equatable, Sendable {
        /// The text for its user.
        package var text: String
        /// Its id at the backend; nil for the device's own.
        package var id: String?
        /// Its tags.
        package var tags: [String]

        /// A registration of its parts.
        package init(text: String, id: String? = nil, tags: [String]) {
            self.text = text
            self.id = id
            self.tags = tags
        }
    }

    /// A request to the backend, and its answer.
    package struct Request: Codable, Equatable, Sendable {
        /// Method, path and query.
        package var request: String
        /// Headers without secrets.
        package var headers: [String]
        /// The body.
        package var body: String
        /// The status of the answer.
        package var status: Int
        /// The media type of the answer.
        package var mediaType: String
        /// How many bytes the answer has.
        package var bytes: Int
        /// The sentence of a refusal.
        package var text: String?
    }

    /// A notification.
    package struct Push: Codable, Equatable, Sendable {
        /// Its id at the hub.
        package var id: String
        /// Its payload, where that is text.
        package var payload: String?
        /// The frame that brought it, in hex; nil where that is not shown.
        package var frame: String?
        /// Headers of the send that travelled to the device.
        package var travelled: [String]
    }

    /// The result of fetching content.
    package struct Fetch: Equatable, Sendable {
        /// How it ended, as systems of phones are told.
        package enum Outcome: String, Codable, Equatable, Sendable {
            case newData, failed, noData
        }

        /// How it ended.
        package var outcome: Outcome
        /// The rich content that it has brought.
        package var content: FetchedContent?
    }

    /// Rich content from the backend.
    package struct FetchedContent: Codable, Equatable, Sendable {
        /// Its id at the backend.
        package var id: String
        /// Its media type.
        package var mediaType: String
        /// How many bytes it has.
        package var bytes: Int
        /// Its first and its last eight bytes, in hex.
        package var ends: String
    }

    /// An entry of the inbox.
    package struct Item: Codable, Equatable, Sendable {
        /// Its number.
        package var number: Int
        /// The id of its notification.
        package var id: String
        /// The text that its user sees.
        package var text: String
        /// Whether it was opened.
        package var isOpened: Bool
        /// When it arrived, in seconds since 1970.
        package var receivedAt: Int64

        /// An entry of its parts.
        package init(
            number: Int,
            id: String,
            text: String,
            isOpened: Bool = false,
            receivedAt: Int64
        ) {
            self.number = number
            self.id = id
            self.text = text
            self.isOpened = isOpened
            self.receivedAt = receivedAt
        }

        /// An entry as the inbox has it.
        init(_ entry: InboxEntry) {
            number = entry.number
            id = entry.notification
            text = entry.text
            isOpened = entry.isOpened
            receivedAt = entry.receivedAt
        }
    }

    /// An entry that is new to its user.
    package struct Shown: Equatable, Sendable {
        /// The entry.
        package var item: Item
        /// The media type of rich content.
        package var mediaType: String?
        /// The buttons that its user can press.
        package var buttons: [String]?

        /// An entry, with buttons when it is rich.
        package init(_ item: Item, mediaType: String? = nil, buttons: [String]? = nil) {
            self.item = item
            self.mediaType = mediaType
            self.buttons = buttons
        }
    }

    /// An entry that its user has opened.
    package struct Opened: Equatable, Sendable {
        /// The entry.
        package var item: Item
        /// Its rich content.
        package var content: OpenedContent?

        /// An opened entry.
        package init(_ item: Item, content: OpenedContent? = nil) {
            self.item = item
            self.content = content
        }
    }

    /// Rich content on the phone.
    package struct OpenedContent: Codable, Equatable, Sendable {
        /// Its media type.
        package var mediaType: String
        /// How many bytes it has.
        package var bytes: Int
        /// Its first and its last eight bytes, in hex.
        package var ends: String
        /// The file in which it is kept.
        package var path: String
        /// Itself, where it is text.
        package var content: String?

        /// Content of its parts.
        package init(
            mediaType: String,
            bytes: Int,
            ends: String = "",
            path: String,
            content: String? = nil
        ) {
            self.mediaType = mediaType
            self.bytes = bytes
            self.ends = ends
            self.path = path
            self.content = content
        }
    }
}

extension PhoneLine.Push {
    /// A notification with the frame that brought it.
    init(_ notification: ReceivedNotification) {
        id = notification.id.uuidText
        payload = notification.text
        frame = HexText.lowercase(notification.frame)
        travelled = notification.headers.map { "\($0.name): \($0.value)" }
    }
}

extension PhoneLine.Request {
    /// A request as it went over the wire.
    package init(_ exchange: BackendExchange) {
        request = "\(exchange.method) \(exchange.path)"
        headers = exchange.headers
        body = String(decoding: exchange.body, as: UTF8.self)
        status = exchange.status
        mediaType = exchange.mediaType
        bytes = exchange.answer.count
        text = exchange.message.isEmpty ? nil : exchange.message
    }
}

extension PhoneLine.FetchedContent {
    /// The answer about content.
    init(_ id: Int, _ exchange: BackendExchange) {
        self.init(
            id: "\(id)",
            mediaType: exchange.mediaType,
            bytes: exchange.answer.count,
            ends: PhoneContent.ends(of: exchange.answer)
        )
    }
}
