/// A notification as its user sees it.
package struct InboxEntry: Codable, Equatable, Sendable {
    /// The kind of an entry.
    package enum Kind: String, Codable, Equatable, Sendable {
        /// A text that came with the notification.
        case text
        /// A message with content that was fetched from the backend.
        case rich
        /// A payload that the backend serves to its addressee; only its id is kept.
        case secure
    }

    /// Its number on this phone, ascending from 1.
    package var number: Int
    /// The id of the notification at the hub.
    package var notification: String
    /// The registration that it came for; from 16 on it belongs to the user who is logged in.
    package var slot: UInt16
    /// The kind of this entry.
    package var kind: Kind
    /// The text that the inbox shows.
    package var text: String
    /// The id of its content at the backend.
    package var contentID: Int?
    /// The media type of rich content.
    package var mediaType: String?
    /// Where rich content is kept, in the app's folder.
    package var file: String?
    /// The user that it belongs to; nil when it is not personal.
    package var owner: String?
    /// When it arrived, in seconds since 1970.
    package var receivedAt: Int64
    /// Whether its user has opened it.
    package var isOpened = false
    /// Whether its sender asked to hear what its user does with it.
    package var wantsReceipt = false
    /// Whether it waits for a login.
    package var isWaiting = false

    /// An unread entry; the inbox gives its number.
    package init(
        number: Int = 0,
        notification: String,
        slot: UInt16,
        kind: Kind = .text,
        text: String,
        receivedAt: Int64
    ) {
        self.number = number
        self.notification = notification
        self.slot = slot
        self.kind = kind
        self.text = text
        self.receivedAt = receivedAt
    }

    /// Whether it came through the backend's registration for a user, not through the device's own.
    package var isPersonal: Bool { (16..<UInt16.max).contains(slot) }
}
