import FoundationEssentials
import HubClient

/// A notification as its user sees it.
package struct InboxEntry: Codable, Equatable, Sendable {
    /// What it is.
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
    /// What it is.
    package var kind: Kind
    /// What the inbox shows.
    package var text: String
    /// The id of its content at the backend.
    package var contentID: Int?
    /// The media type of rich content.
    package var mediaType: String?
    /// Where rich content is kept, in the app's folder.
    package var file: String?
    /// Whose it is; nil for what is not personal.
    package var owner: String?
    /// When it arrived, in seconds since 1970.
    package var receivedAt: Int64
    /// Whether its user has opened it.
    package var isOpened = false
    /// Whether it waits for a login.
    package var isWaiting = false

    /// An entry that nobody has opened; the inbox gives its number.
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

/// What the app shows and has shown, in the order of arrival; on disk in one file.
///
/// It is written before the device forgets a notification, and knows every notification that the
/// device may give it again after a kill.
package struct PhoneInbox: Codable, Equatable, Sendable {
    /// Entries at most; the oldest go.
    ///
    /// At least what a device may hold back untaken.
    package static let entriesMax = DeviceLoop.untakenMax
    /// What stands for a secure payload in the list and in the file.
    package static let secureText = "You have a new secure message"
    /// What the user is told who cannot read one.
    package static let logInText = "You have a new message: log in to read it"

    /// The entries, oldest first.
    package private(set) var entries: [InboxEntry] = []
    private var nextNumber = 1

    /// An empty inbox.
    package init() {}

    /// Reads an inbox; an empty one where there is no file.
    /// - Throws: `.memory`.
    package init(path: String) throws(PhoneFault) {
        do {
            guard let bytes = try LocalDisk().read(path) else {
                self.init()
                return
            }
            self = try JSONDecoder().decode(PhoneInbox.self, from: Data(bytes))
        } catch {
            throw .memory("\(path) cannot be read")
        }
    }

    /// Writes it in one step, readable by its owner only.
    /// - Throws: `.memory`.
    package func write(to path: String) throws(PhoneFault) {
        try PhoneMemory.write(self, to: path)
    }

    /// Whether a notification is there already.
    package func holds(_ notification: String, slot: UInt16) -> Bool {
        entries.contains { $0.notification == notification && $0.slot == slot }
    }

    /// The entry with a number.
    package subscript(number: Int) -> InboxEntry? {
        get { entries.first { $0.number == number } }
        set {
            guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
            if let newValue { entries[index] = newValue } else { entries.remove(at: index) }
        }
    }

    /// Adds an entry, whose number it gives; returns it, and what had to go for it.
    package mutating func add(_ entry: InboxEntry) -> (added: InboxEntry, gone: [InboxEntry]) {
        var entry = entry
        entry.number = nextNumber
        nextNumber += 1
        entries.append(entry)
        let gone = Array(entries.prefix(max(0, entries.count - Self.entriesMax)))
        entries.removeFirst(gone.count)
        return (entry, gone)
    }
}
