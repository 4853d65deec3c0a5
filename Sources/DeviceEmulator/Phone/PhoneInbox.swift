import FoundationEssentials
import HubClient

/// The entries that the app shows, in the order of arrival; on disk in one file.
///
/// It is written before the device forgets a notification, and knows every notification that the
/// device may give it again after a kill.
package struct PhoneInbox: Codable, Equatable, Sendable {
    /// Entries at most; the oldest go.
    ///
    /// At least what a device may hold back untaken.
    package static let entriesMax = DeviceLoop.untakenMax
    /// The text for a secure payload in the list and in the file.
    package static let secureText = "You have a new secure message"
    /// The text for a user who cannot read a secure payload.
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
