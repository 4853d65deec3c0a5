import FoundationEssentials
import HubClient

// Notifications that arrive, are shown and are opened.
extension PhoneApp {
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
            entry.file = try content.keep(exchange.answer, id, exchange.mediaType)
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

    /// Removes the content that no entry names.
    func removeStrayContent() {
        for file in content.strays(beside: inbox.entries.compactMap(\.file)) {
            removeContent(file)
        }
    }

    private func removeContent(_ file: String) {
        do throws(PhoneFault) {
            try content.remove(file)
        } catch {
            show(.problem(error.description))
        }
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

    func secureFetch(_ id: Int) async -> SecureFetch {
        // Without an answer it is asked again later.
        SecureFetch(try? await fetched(id))
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
            line.content = try content.opened(entry)
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
}

extension InboxEntry {
    /// An entry without a text for a notification; a personal one is the user's.
    init(_ notification: ReceivedNotification, user: String?) {
        self.init(
            notification: notification.id.uuidText,
            slot: notification.slot,
            text: "",
            receivedAt: Int64(notification.receivedAtMilliseconds / 1_000)
        )
        wantsReceipt = notification.wantsUserReceipt
        if isPersonal { owner = user }
    }

    /// The notification as far as receipts name it.
    var received: ReceivedNotification? {
        NotificationIdentifier(uuidText: notification).map { id in
            var received = ReceivedNotification(
                id: id,
                sequence: nil,
                slot: slot,
                payloadBytes: 0,
                wireBytes: 0,
                receivedAtMilliseconds: UInt64(max(0, receivedAt)) * 1_000
            )
            received.wantsUserReceipt = wantsReceipt
            return received
        }
    }
}
