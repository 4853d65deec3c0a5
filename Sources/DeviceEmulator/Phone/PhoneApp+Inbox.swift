import FoundationEssentials
import HubClient

// Notifications that arrive, are shown and are opened.
extension PhoneApp {
    /// Content of the backend that is text, and shown as such, has at most so many bytes.
    private static let textBytesMax = 65_536

    // MARK: Showing

    /// Shows what has been fetched for a notification, and the hub hears of it.
    ///
    /// For a user who has left meanwhile nothing is kept.
    func tell(_ fetched: Fetched, _ arrival: Arrival) throws(PhoneFault) {
        var entry = arrival.entry
        guard !entry.isPersonal || entry.owner == memory.user else { return }
        switch fetched {
        case .nothing: return
        case .text(let text):
            entry.text = text
            try tell(entry)
        case .rich(let id, let message, let exchange):
            entry.text = message
            entry.kind = .rich
            entry.contentID = id
            entry.mediaType = exchange.mediaType
            entry.file = try keep(exchange.answer, id, exchange.mediaType)
            try tell(entry)
        case .secure(let id, let payload):
            entry.kind = .secure
            entry.contentID = id
            entry.text = PhoneInbox.secureText
            secrets[try tell(entry, text: payload)] = payload
        case .locked(let id):
            entry.kind = .secure
            entry.contentID = id
            entry.text = PhoneInbox.logInText
            entry.isWaiting = true
            try tell(entry)
            return
        }
        report(.displayed, of: arrival.notification)
    }

    /// Keeps an entry, then shows it; `text` is what its user sees instead of what is kept.
    ///
    /// Returns its number.
    @discardableResult
    private func tell(_ entry: InboxEntry, text: String? = nil) throws(PhoneFault) -> Int {
        let before = inbox
        let (added, gone) = inbox.add(entry)
        do throws(PhoneFault) {
            try keepInbox()
        } catch {
            inbox = before
            throw error
        }
        for entry in gone { removed(entry) }
        var shown = PhoneLine.Shown(PhoneLine.Item(added))
        if let text { shown.item.text = text }
        if added.kind == .rich {
            shown.mediaType = added.mediaType
            shown.buttons = ["OK", "More"]
        }
        show(.shown(shown))
        return added.number
    }

    /// An entry has gone, and its content with it.
    func removed(_ entry: InboxEntry) {
        secrets[entry.number] = nil
        // The same content may have come twice.
        if let file = entry.file, !inbox.entries.contains(where: { $0.file == file }) {
            removeContent(file)
        }
        show(.removed(PhoneLine.Item(entry)))
    }

    /// Removes the content that no entry names: a kill leaves it between the one and the other.
    func removeStrayContent() {
        let named = Set(inbox.entries.compactMap(\.file))
        let path = configuration.folder + "/content"
        // Where there is no such folder there is no content.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        where !named.contains("content/" + name) {
            removeContent("content/" + name)
        }
    }

    private func removeContent(_ file: String) {
        do {
            try FileManager.default.removeItem(atPath: configuration.folder + "/" + file)
        } catch {
            show(.problem("\(file) of a notification that has gone stays"))
        }
    }

    /// Writes content to a file of its own and returns its name below the app's folder.
    private func keep(
        _ bytes: [UInt8],
        _ id: Int,
        _ mediaType: String
    ) throws(PhoneFault) -> String {
        let folder = configuration.folder + "/content"
        let name = "content/\(id).\(ContentFile.ending(of: mediaType))"
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try LocalDisk().write(bytes, to: configuration.folder + "/" + name)
        } catch {
            throw .memory("\(folder) cannot be written")
        }
        return name
    }

    /// After a login: fetches what its user could not read, and shows it.
    func fetchWaiting(_ entry: InboxEntry) async throws(PhoneFault) {
        var entry = entry
        let outcome =
            if let id = entry.contentID { await secureFetch(id) } else { SecureFetch.never }
        guard case .served(let payload) = outcome else {
            show(.fetch(PhoneLine.Fetch(outcome: .failed)))
            guard case .never = outcome else { return }
            // No login will ever read it: it is not asked for again.
            entry.isWaiting = false
            inbox[entry.number] = entry
            try keepInbox()
            return
        }
        entry.isWaiting = false
        entry.text = PhoneInbox.secureText
        inbox[entry.number] = entry
        try keepInbox()
        secrets[entry.number] = payload
        show(.fetch(PhoneLine.Fetch(outcome: .newData)))
        var shown = PhoneLine.Shown(PhoneLine.Item(entry))
        shown.item.text = payload
        show(.shown(shown))
        if let notification = entry.received { report(.displayed, of: notification) }
    }

    /// The outcome of asking for a secure payload.
    enum SecureFetch {
        case served(String)
        /// A login, or a backend that is back, may still bring it.
        case later
        /// It belongs to another user, or is gone.
        case never
    }

    func secureFetch(_ id: Int) async -> SecureFetch {
        struct Served: Decodable {
            enum CodingKeys: String, CodingKey { case payload = "Payload" }

            var payload: String
        }
        guard let exchange = try? await fetched(id) else { return .later }  // Asked again later.
        switch exchange.status {
        case 200:  // Another form may come right at a later fetch.
            let served = try? JSONDecoder().decode(Served.self, from: Data(exchange.answer))
            return served.map { .served($0.payload) } ?? .later
        case 403, 404, 410: return .never
        default: return .later
        }
    }

    private func securePayload(_ id: Int) async -> String? {
        if case .served(let payload) = await secureFetch(id) { payload } else { nil }
    }

    // MARK: Opening

    /// The user opens an entry, by default the newest; the hub hears of it the first time.
    func open(_ number: Int?) async throws(PhoneFault) {
        guard var entry = number.map({ inbox[$0] }) ?? inbox.entries.last else {
            throw .memory("there is no such notification")
        }
        var line = PhoneLine.Opened(PhoneLine.Item(entry))
        switch entry.kind {
        case .text: break
        case .rich:
            let bytes = entry.file.flatMap { file in
                try? LocalDisk().read(configuration.folder + "/" + file)  // The guard below tells.
            }
            guard let file = entry.file, let bytes else {
                throw .memory("the content is not there any more")
            }
            let mediaType = entry.mediaType ?? ""
            let isShown = ContentFile.isText(mediaType) && bytes.count <= Self.textBytesMax
            line.content = PhoneLine.OpenedContent(
                mediaType: mediaType,
                bytes: bytes.count,
                ends: Self.ends(of: bytes),
                path: configuration.folder + "/" + file,
                content: isShown ? String(validating: bytes, as: UTF8.self) : nil
            )
        case .secure:
            var payload = secrets[entry.number]
            if payload == nil, let id = entry.contentID { payload = await securePayload(id) }
            guard let payload else {
                line.item.text = PhoneInbox.logInText
                show(.opened(line))
                return
            }
            secrets[entry.number] = payload
            line.item.text = payload
        }
        if !entry.isOpened, let notification = entry.received {
            entry.isOpened = true
            inbox[entry.number] = entry
            try keepInbox()
            report(.opened, of: notification)
        }
        line.item.isOpened = true
        show(.opened(line))
    }

    static func ends(of bytes: [UInt8]) -> String {
        (bytes.prefix(8) + bytes.suffix(8)).map(PhoneLine.hex).joined()
    }
}

extension InboxEntry {
    /// The notification as far as receipts name it.
    var received: ReceivedNotification? {
        NotificationIdentifier(uuidText: notification).map { id in
            ReceivedNotification(
                id: id,
                sequence: nil,
                slot: slot,
                payloadBytes: 0,
                wireBytes: 0,
                receivedAtMilliseconds: UInt64(max(0, receivedAt)) * 1_000
            )
        }
    }
}
