package import DeviceEmulator
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
        /// Have the device connect now, whatever delay it has chosen.
        case reconnect
        /// End.
        case quit
    }

    /// Something on a page that can have the focus.
    enum Item: Equatable {
        case entry(Int)
        case category(String), locale
        case recipient, message, send, sendSecure, sendPicture, sendKey, sendNews
        case platforms, platform(String)
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

    /// The settings with which an app is started.
    struct Facts: Equatable {
        let hasBackend: Bool
        let hasListenKey: Bool
        let hasSendKey: Bool
        let platformName: String
        /// Seconds that local time is ahead of UTC.
        let secondsFromUTC: Int
    }

    /// Who uses the app.
    struct Login: Equatable {
        var user: String?
        var isLoggedIn: Bool
        /// Whether the backend has confirmed the registration; before, the user cannot send.
        var isRegistered: Bool
        var name = TextField()
        var password = TextField(isHidden: true)
        /// The login that is under way; nothing is typed for another one meanwhile.
        var attempt: Attempt?
    }

    /// A login that the backend checks.
    struct Attempt: Equatable {
        var password: TextField
        /// Commands before it that are not done.
        var ahead: Int
    }

    /// The fields that a user fills in before a send.
    struct Draft: Equatable {
        /// Platforms that can be switched on for a send; the tutorials' three are on.
        static let platforms = ["apple", "gcm", "wns", "fcm", "mpns"]

        var recipient = TextField()
        var message = TextField()
        var sendKey = TextField(isHidden: true)
        /// Whether the platforms can be seen; who has no wish need not know of them.
        var showsPlatforms = false
        var switchedOn: Set<String> = ["apple", "gcm", "wns"]
    }

    /// The connection to the hub.
    enum Link: Equatable {
        case connected
        /// Seconds until the next try; nil when there is none, or it is unknown.
        case away(nextTry: Int?)
    }

    /// The news that a user wants.
    struct News: Equatable {
        var categories: [String]
        var locale: String?
    }

    let facts: Facts

    var page = Page.inbox
    /// Where the focus is on each page; on the inbox it is `selected`.
    var focus: [Page: Int] = [:]
    /// The number of the entry that has the focus; nil follows the newest.
    var selected: Int?
    var opened: OpenEntry?
    var notice: Notice?

    var login: Login
    var link = Link.away(nextTry: nil)
    /// The inbox, oldest first.
    var entries: [InboxEntry]
    var news: News
    var draft = Draft()
    /// Commands that are not done.
    var underWay = 0
    /// Whether something has arrived that was not rung for.
    var rings = false

    /// The screen of an app; without a user it begins on the page where one logs in.
    package init(_ snapshot: PhoneSnapshot, secondsFromUTC: Int) {
        facts = Facts(
            hasBackend: snapshot.hasBackend,
            hasListenKey: snapshot.hasListenKey,
            hasSendKey: snapshot.hasSendKey,
            platformName: snapshot.platform.commandLineName,
            secondsFromUTC: secondsFromUTC
        )
        login = Login(
            user: snapshot.user,
            isLoggedIn: snapshot.isLoggedIn,
            isRegistered: snapshot.isRegistered
        )
        entries = snapshot.entries
        news = News(categories: snapshot.categories, locale: snapshot.locale)
        if facts.hasBackend, !login.isLoggedIn {
            page = .account
        } else if entries.isEmpty, news.categories.isEmpty {
            page = .categories
        }
        if let user = snapshot.user { _ = login.name.receive(.paste(user)) }
    }

    /// Whether the terminal is to ring; it is asked for once.
    package mutating func takeBell() -> Bool {
        defer { rings = false }
        return rings
    }

    /// A second has passed.
    package mutating func tick() {
        if case .away(let seconds?) = link { link = .away(nextTry: max(0, seconds - 1)) }
    }

    // MARK: What the app tells

    /// Takes what the app tells.
    package mutating func receive(_ line: PhoneLine) {
        switch line {
        case .connected: link = .connected
        case .disconnected(let milliseconds):
            link = .away(nextTry: milliseconds.map { Int(clamping: ($0 + 999) / 1_000) })
        case .loggedIn(let name):
            login.user = name
            login.isLoggedIn = true
            login.isRegistered = false
            login.attempt = nil
            page = .inbox
            say("Logged in as \(name).")
        case .loggedOut:
            login.user = nil
            login.isLoggedIn = false
            login.isRegistered = false
            page = .account
            say("Logged out.")
        case .loginEnded(let name):
            login.isLoggedIn = false
            login.isRegistered = false
            say("The login of \(name) has ended: log in again.", isGood: false)
        case .registered(let line):
            // A registration that the device makes itself has no id.
            if line.id != nil { login.isRegistered = true }
            say(line.text)
        case .shown(let line): show(line)
        case .removed(let item): remove(item.number)
        case .opened(let line): open(line)
        case .sent(let problems):
            if problems.isEmpty { draft.message = TextField() }
            if problems.isEmpty {
                say("Sent.")
            } else {
                let isAway = problems == PhoneFault.noAnswer || problems.contains("away")
                let advice = isAway ? ", Enter repeats" : ""
                say("\(problems); your message is kept\(advice)", isGood: false)
            }
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
        // Faults are told in the words of other programs, which begin small.
        let shown = isGood ? text : text.prefix(1).uppercased() + text.dropFirst()
        notice = Notice(text: shown, isGood: isGood)
    }

    private mutating func finish(_ fault: String?) {
        underWay = max(0, underWay - 1)
        let attempt = login.attempt
        login.attempt?.ahead -= 1
        if attempt?.ahead == 0 { login.attempt = nil }
        if let fault {
            // Without an answer it may be right.
            let isWrong = fault == PhoneFault.wrongPassword.description
            if let attempt, attempt.ahead == 0, !isWrong { login.password = attempt.password }
            say(fault, isGood: false)
        } else if notice == nil, opened == nil {
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
            rings = true
            say(entry.text)
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
        let message = MessageText(line.item.text)
        opened = OpenEntry(
            number: number,
            text: message.text,
            about: [
                (message.sender.map { "from \($0), " } ?? "")
                    + CivilMinute(line.item.receivedAt + Int64(facts.secondsFromUTC)).text
            ]
                + (content.map {
                    ["\($0.mediaType), \($0.bytes) bytes", "saved as \($0.path)"]
                } ?? []),
            content: content?.content
        )
    }

    // MARK: What there is

    /// The pages of this app.
    var pages: [Page] { facts.hasBackend ? Page.allCases : [.inbox, .categories, .send] }

    /// Returns the items that can have the focus on a page, from top to bottom.
    func items(on page: Page) -> [Item] {
        switch page {
        case .inbox: return entries.reversed().map { .entry($0.number) }
        case .categories:
            return NewsChoice.categories.map { .category($0) } + [.locale]
        case .send:
            var items: [Item] = [.message]
            if facts.hasBackend {
                items = [.recipient, .message, .send, .sendSecure, .sendPicture]
            }
            // The news need a key that its user supplies.
            if facts.hasListenKey || facts.hasSendKey {
                items += facts.hasSendKey ? [.sendNews] : [.sendKey, .sendNews]
            }
            guard facts.hasBackend else { return items }
            items.append(.platforms)
            return items + (draft.showsPlatforms ? Draft.platforms.map { .platform($0) } : [])
        case .account:
            return [.user, .password, .logIn] + (login.user == nil ? [] : [.logOut])
                + (login.isLoggedIn ? [.newHandle] : [])
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

    /// Whether what has the focus is typed into.
    var isTyping: Bool {
        switch focusedItem {
        case .recipient, .message, .sendKey, .user, .password: true
        default: false
        }
    }

    /// The item that has the focus; nil on a page without items.
    var focusedItem: Item? {
        let items = items(on: page)
        return items.isEmpty ? nil : items[focused]
    }
}
