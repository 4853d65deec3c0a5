import HubClient

/// The phone's screen as a value: keys and what the app tells in, what is to be done out; lines to
/// draw at any size.
///
/// It reads no clock, no terminal and no file, so that a test can press every key.
package struct AppScreen: Sendable {
    /// A page of the screen.
    package enum Page: Int, CaseIterable, Sendable {
        case inbox, categories, send, account

        var title: String {
            switch self {
            case .inbox: "Inbox"
            case .categories: "Categories"
            case .send: "Send"
            case .account: "Account"
            }
        }
    }

    /// An order to the code around the screen.
    package enum Action: Equatable, Sendable {
        /// Have the app do something.
        case perform(PhoneCommand)
        /// End.
        case quit
    }

    /// Something on a page that can have the focus.
    enum Item: Equatable {
        case entry(Int)
        case category(String), locale, subscribe
        case recipient, message, sendKey, platform(String), send, sendSecure, sendPicture, sendNews
        case user, password, logIn, logOut, newHandle
    }

    /// An entry of the inbox that is open.
    struct OpenEntry: Equatable {
        var number: Int
        var text: String
        var about: [String]
        var content: String?
        /// Lines that have moved out at the top.
        var offset = 0
    }

    /// The last thing that its user should know.
    struct Notice: Equatable {
        var text: String
        var isGood: Bool
    }

    /// Words of `pns` that can be switched on for a send; the tutorials' three are on.
    static let platforms = ["apns", "gcm", "wns", "fcm", "mpns"]

    let hasBackend: Bool
    let hasListenKey: Bool
    let hasSendKey: Bool
    let platformName: String
    /// Seconds that local time is ahead of UTC.
    let secondsFromUTC: Int

    var page = Page.inbox
    /// Where the focus is on each page; on the inbox it is `selected`.
    var focus: [Page: Int] = [:]
    /// The number of the entry that has the focus; nil follows the newest.
    var selected: Int?
    var opened: OpenEntry?
    var notice: Notice?

    var user: String?
    var isLoggedIn: Bool
    /// Whether the backend has confirmed the registration; before, the user cannot send.
    var isRegistered: Bool
    var isConnected = false
    /// The inbox, oldest first.
    var entries: [InboxEntry]
    var categories: [String]
    var locale: String?
    /// Commands that are not done.
    var underWay = 0

    var recipient = TextField()
    var message = TextField()
    var sendKey = TextField(isHidden: true)
    var name = TextField()
    var password = TextField(isHidden: true)
    var switchedOn: Set<String> = ["apns", "gcm", "wns"]

    /// The screen of an app; without a user it begins on the page where one logs in.
    package init(_ snapshot: PhoneSnapshot, secondsFromUTC: Int) {
        hasBackend = snapshot.hasBackend
        hasListenKey = snapshot.hasListenKey
        hasSendKey = snapshot.hasSendKey
        platformName = snapshot.platform.commandLineName
        self.secondsFromUTC = secondsFromUTC
        user = snapshot.user
        isLoggedIn = snapshot.isLoggedIn
        isRegistered = snapshot.isRegistered
        entries = snapshot.entries
        categories = snapshot.categories
        locale = snapshot.locale
        if hasBackend, !isLoggedIn {
            page = .account
        } else if entries.isEmpty, categories.isEmpty {
            page = .categories
        }
        if let user = snapshot.user { _ = name.receive(.paste(user)) }
    }

    // MARK: What the app tells

    /// Takes what the app tells.
    package mutating func receive(_ line: PhoneLine) {
        switch line {
        case .connected: isConnected = true
        case .disconnected: isConnected = false
        case .loggedIn(let name):
            user = name
            isLoggedIn = true
            isRegistered = false
            password = TextField(isHidden: true)
            page = .inbox
            say("Logged in as \(name).")
        case .loggedOut:
            user = nil
            isLoggedIn = false
            isRegistered = false
            page = .account
            say("Logged out.")
        case .loginEnded(let name):
            isLoggedIn = false
            isRegistered = false
            say("The login of \(name) has ended: log in again.", isGood: false)
        case .registered(let line):
            // A registration that the device makes itself has no id.
            if line.id != nil { isRegistered = true }
            say(line.text)
        case .shown(let line): show(line)
        case .removed(let item): remove(item.number)
        case .opened(let line): open(line)
        case .sent(let problems):
            if problems.isEmpty { message = TextField() }
            say(problems.isEmpty ? "Sent." : problems, isGood: problems.isEmpty)
        case .gap(let reason, let lost):
            let count = lost.map { "\($0) notifications" } ?? "Notifications"
            say("\(count) may be lost: \(reason)", isGood: false)
        case .problem(let text): say(text, isGood: false)
        case .done(let fault): finish(fault)
        case .fetch(let line):
            if line.outcome == .failed { say("Something could not be fetched.", isGood: false) }
        case .started, .request, .push, .entry: break
        }
    }

    private mutating func say(_ text: String, isGood: Bool = true) {
        notice = Notice(text: text, isGood: isGood)
    }

    private mutating func finish(_ fault: String?) {
        underWay = max(0, underWay - 1)
        if let fault {
            say(fault, isGood: false)
        } else if notice == nil {
            say("Done.")
        }
    }

    private mutating func show(_ line: PhoneLine.Shown) {
        var entry = InboxEntry(
            number: line.item.number,
            notification: line.item.id,
            slot: 0,
            text: line.item.text,
            receivedAt: line.item.receivedAt
        )
        entry.mediaType = line.mediaType
        if let index = entries.firstIndex(where: { $0.number == entry.number }) {
            entries[index] = entry
        } else {
            entries.append(entry)
            entries.removeFirst(max(0, entries.count - PhoneInbox.entriesMax))
        }
    }

    private mutating func remove(_ number: Int) {
        entries.removeAll { $0.number == number }
        if opened?.number == number { opened = nil }
        if selected == number { selected = nil }
    }

    private mutating func open(_ line: PhoneLine.Opened) {
        let number = line.item.number
        if let index = entries.firstIndex(where: { $0.number == number }) {
            entries[index].isOpened = line.item.isOpened
        }
        let content = line.content
        opened = OpenEntry(
            number: number,
            text: line.item.text,
            about: content.map {
                ["\($0.mediaType), \($0.bytes) bytes", "saved as \($0.path)"]
            } ?? [],
            content: content?.content
        )
    }

    // MARK: What there is

    /// The pages of this app.
    var pages: [Page] { hasBackend ? Page.allCases : [.inbox, .categories, .send] }

    /// Returns the items that can have the focus on a page, from top to bottom.
    func items(on page: Page) -> [Item] {
        switch page {
        case .inbox: return entries.reversed().map { .entry($0.number) }
        case .categories:
            return NewsChoice.categories.map { .category($0) } + [.locale, .subscribe]
        case .send:
            var items: [Item] = [.message]
            if hasBackend {
                items = [.recipient, .message] + Self.platforms.map { .platform($0) }
                items += [.send, .sendSecure, .sendPicture]
            }
            // The news need a key that its user supplies.
            if hasListenKey || hasSendKey {
                items += hasSendKey ? [.sendNews] : [.sendKey, .sendNews]
            }
            return items
        case .account:
            return [.user, .password, .logIn] + (user == nil ? [] : [.logOut])
                + (isLoggedIn ? [.newHandle] : [])
        }
    }

    /// The place of the focus among the items of the page.
    var focused: Int {
        let items = items(on: page)
        guard !items.isEmpty else { return 0 }
        if page == .inbox {
            return selected.flatMap { items.firstIndex(of: .entry($0)) } ?? 0
        }
        return min(focus[page] ?? 0, items.count - 1)
    }

    /// The item that has the focus; nil on a page without items.
    var focusedItem: Item? {
        let items = items(on: page)
        return items.isEmpty ? nil : items[focused]
    }
}
