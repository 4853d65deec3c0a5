import DeviceEmulator
import Testing

@testable import PhoneScreen

@Suite("The phone's screen")
struct AppScreenTests {
    private static func screen(
        user: String? = "alice",
        hasBackend: Bool = true,
        hasListenKey: Bool = false,
        hasSendKey: Bool = false
    ) -> AppScreen {
        let snapshot = PhoneSnapshot(
            user: user,
            isLoggedIn: user != nil,
            isRegistered: user != nil,
            hasBackend: hasBackend,
            hasListenKey: hasListenKey,
            hasSendKey: hasSendKey,
            // Who has an account has been here before; it begins with the inbox.
            categories: user == nil ? [] : ["World"]
        )
        return AppScreen(snapshot, secondsFromUTC: 3_600)
    }

    private static func text(_ screen: AppScreen) -> String {
        screen.frame(columns: 80, rows: 24).text.joined(separator: "\n")
    }

    private static func item(_ number: Int, _ text: String) -> PhoneLine.Item {
        PhoneLine.Item(number: number, id: "", text: text, receivedAt: 60)
    }

    private static func shown(_ number: Int, _ text: String, mediaType: String? = nil) -> PhoneLine
    {
        .shown(PhoneLine.Shown(item(number, text), mediaType: mediaType))
    }

    private static func opened(
        _ number: Int,
        _ text: String,
        _ content: PhoneLine.OpenedContent
    ) -> PhoneLine {
        var item = item(number, text)
        item.isOpened = true
        return .opened(PhoneLine.Opened(item, content: content))
    }

    private static func registered(_ text: String, id: String? = nil) -> PhoneLine {
        .registered(PhoneLine.Registered(text: text, id: id, tags: []))
    }

    private static func press(_ screen: inout AppScreen, _ text: String) -> [AppScreen.Action] {
        text.flatMap { screen.receive(Key.character($0)) }
    }

    private static func press(_ screen: inout AppScreen, _ keys: [Key]) -> [AppScreen.Action] {
        keys.flatMap { screen.receive($0) }
    }

    @Test("a first start with a backend begins with the login, and a password is never drawn")
    func logIn() {
        var screen = Self.screen(user: nil)
        #expect(Self.text(screen).contains("User:"))
        #expect(Self.press(&screen, [.down, .down, .enter]) == [])
        #expect(Self.text(screen).contains("Type a user and a password."))
        #expect(Self.press(&screen, [.up, .up]) == [])
        #expect(Self.press(&screen, "alice") == [])
        #expect(Self.press(&screen, [.enter]) == [])
        #expect(Self.press(&screen, "secret 1q") == [])
        #expect(!Self.text(screen).contains("secret"))
        let wanted = PhoneCommand(.logIn, user: "alice", password: "secret 1q")
        #expect(screen.receive(.enter) == [.perform(wanted)])
        #expect(Self.text(screen).contains("…"))

        // Without an answer the password may be right, and stays; a wrong one goes.
        screen.receive(PhoneLine.done(fault: "the backend does not answer"))
        #expect(Self.text(screen).contains("(not shown)"))
        #expect(screen.receive(.enter) == [.perform(wanted)])
        screen.receive(PhoneLine.done(fault: PhoneFault.wrongPassword.description))
        #expect(Self.text(screen).contains("Wrong name or password."))
        #expect(!Self.text(screen).contains("(not shown)"))
        #expect(Self.press(&screen, "next") == [])
        let next = PhoneCommand(.logIn, user: "alice", password: "next")
        #expect(screen.receive(.enter) == [.perform(next)])
        screen.receive(PhoneLine.loggedIn(user: "alice"))
        #expect(Self.text(screen).contains("alice | apple | not connected"))
        #expect(Self.text(screen).contains("Nothing has arrived yet."))
    }

    @Test("while a login is checked nothing is typed for another one, and none begins")
    func logsInOnce() {
        var screen = Self.screen(user: nil)
        let wanted = PhoneCommand(.logIn, user: "alice", password: "secret")
        let keys: [Key] = [.enter, .paste("secret"), .enter]
        #expect(Self.press(&screen, "alice") == [])
        #expect(Self.press(&screen, keys) == [.perform(wanted)])
        #expect(Self.press(&screen, "2q") == [])
        #expect(Self.press(&screen, [.paste("other"), .backspace, .enter]) == [])
        #expect(Self.text(screen).contains("The backend still checks the login."))
        #expect(!Self.text(screen).contains("(not shown)"))
        #expect(Self.press(&screen, [.up, .character("x"), .down, .down, .enter]) == [])
        // Other pages can be looked at.
        #expect(Self.press(&screen, [.up, .right]) == [])
        #expect(Self.text(screen).contains("[1 Inbox]"))
        #expect(Self.press(&screen, "4") == [])
        screen.receive(PhoneLine.done(fault: PhoneFault.wrongPassword.description))
        #expect(screen.receive(.enter) == [])
        #expect(Self.text(screen).contains("Type a user and a password."))
        #expect(Self.press(&screen, "next") == [])
        let next = PhoneCommand(.logIn, user: "alice", password: "next")
        #expect(screen.receive(.enter) == [.perform(next)])
    }

    @Test("a login ends with its own command, and not with one before it")
    func logsInBehind() {
        var screen = Self.screen()
        let chosen = PhoneCommand(.subscribe, tags: [])
        #expect(Self.press(&screen, "2 ") == [.perform(chosen)])
        #expect(Self.press(&screen, [.left, .left, .down, .paste("secret")]) == [])
        let wanted = PhoneCommand(.logIn, user: "alice", password: "secret")
        #expect(screen.receive(.enter) == [.perform(wanted)])
        screen.receive(PhoneLine.done(fault: "the hub is away"))
        #expect(!Self.text(screen).contains("(not shown)"))
        #expect(Self.press(&screen, [.paste("other"), .enter]) == [])
        screen.receive(PhoneLine.done(fault: "the backend does not answer"))
        #expect(Self.text(screen).contains("(not shown)"))
        #expect(screen.receive(.enter) == [.perform(wanted)])
    }

    @Test("categories and a language are chosen, and each choice saves itself")
    func categories() {
        var screen = Self.screen(user: nil, hasBackend: false, hasListenKey: true)
        // Switches are off by default.
        #expect(Self.text(screen).contains("> [ ] World"))
        #expect(!Self.text(screen).contains("[x]"))
        #expect(!Self.text(screen).contains("Account"))
        var wanted = PhoneCommand(.subscribe, tags: ["Sports"])
        #expect(Self.press(&screen, [.end, .up, .character(" ")]) == [.perform(wanted)])
        wanted.tags = ["World", "Sports"]
        #expect(Self.press(&screen, [.home, .enter]) == [.perform(wanted)])
        #expect(Self.text(screen).contains("> [x] World"))
        #expect(Self.text(screen).contains("[x] Sports"))
        let languages = Self.press(&screen, [.end, .enter, .enter])
        #expect(Self.text(screen).contains("Language: fr"))
        wanted.locale = "fr"
        #expect(languages.count == 2 && languages.last == .perform(wanted))
        screen.receive(Self.registered("Subscribed!"))
        #expect(Self.text(screen).contains("Subscribed!"))
        wanted.tags = ["Sports"]
        #expect(Self.press(&screen, [.home, .enter]) == [.perform(wanted)])
        // What went well has been read with the next key.
        #expect(!Self.text(screen).contains("Subscribed!"))
    }

    @Test("without a login and without a Listen key nobody subscribes or sends")
    func loggedOut() {
        var screen = Self.screen(user: nil)
        #expect(Self.press(&screen, [.tab, .tab, .end, .enter]) == [])
        #expect(Self.text(screen).contains("Log in first."))
        #expect(!Self.text(screen).contains("[x]"))
        #expect(Self.press(&screen, [.tab, .pageDown, .up]) == [])
        #expect(Self.text(screen).contains("> [ Send yourself a picture ]"))
        #expect(screen.receive(.enter) == [])
        #expect(Self.text(screen).contains("Log in first."))
    }

    @Test("one sends when the backend has confirmed the registration, and not before")
    func registers() {
        var screen = Self.screen(user: nil)
        screen.receive(PhoneLine.loggedIn(user: "alice"))
        #expect(Self.press(&screen, [.tab, .tab, .pageDown, .up]) == [])
        #expect(Self.text(screen).contains("> [ Send yourself a picture ] once registered"))
        #expect(screen.receive(.enter) == [])
        #expect(Self.text(screen).contains("Not registered yet: try again, or log in again."))
        // The device's own subscription is not the backend's registration.
        screen.receive(Self.registered("Subscribed!"))
        #expect(screen.receive(.enter) == [])
        screen.receive(Self.registered("Registered successfully!", id: "1-1-1"))
        #expect(!Self.text(screen).contains("once registered"))
        #expect(screen.receive(.enter) == [.perform(PhoneCommand(.sendRich))])
        screen.receive(PhoneLine.loginEnded(user: "alice"))
        #expect(screen.receive(.enter) == [])
        #expect(Self.text(screen).contains("Log in first."))
    }

    @Test("a login that has ended is said, and can still be left everywhere")
    func loginEnded() {
        var screen = Self.screen()
        screen.receive(PhoneLine.loginEnded(user: "alice"))
        #expect(Self.text(screen).contains("The login of alice has ended: log in again."))
        #expect(Self.text(screen).contains("Belfry | nobody | apple"))
        #expect(Self.press(&screen, [.tab, .tab, .tab, .down, .down, .down]) == [])
        #expect(Self.text(screen).contains("> [ Log out everywhere ]"))
        #expect(screen.receive(.enter) == [.perform(PhoneCommand(.logOut))])
        screen.receive(PhoneLine.loggedOut)
        #expect(!Self.text(screen).contains("Log out everywhere"))
    }

    @Test("the inbox has the newest on top, opens by Enter, and marks what was read")
    func inbox() {
        var screen = Self.screen()
        screen.receive(PhoneLine.connected)
        screen.receive(Self.shown(1, "first"))
        screen.receive(Self.shown(2, "Check this image out!", mediaType: "image/png"))
        #expect(Self.text(screen).contains("> * 01:01  Check this image out!  [More]"))
        #expect(Self.text(screen).contains("[1 Inbox (2)]"))
        var wanted = PhoneCommand(.open)
        wanted.number = 2
        #expect(screen.receive(.enter) == [.perform(wanted)])
        let content = PhoneLine.OpenedContent(
            mediaType: "image/png",
            bytes: 70,
            path: "./phone/content/7.png"
        )
        screen.receive(Self.opened(2, "Check this image out!", content))
        #expect(Self.text(screen).contains("image/png, 70 bytes"))
        #expect(Self.text(screen).contains("saved as ./phone/content/7.png"))
        #expect(screen.receive(.escape) == [])
        #expect(Self.text(screen).contains("[1 Inbox (1)]"))

        // The focus stays on its entry when something arrives, and at the top follows the newest.
        #expect(screen.receive(.down) == [])
        #expect(Self.text(screen).contains("> * 01:01  first"))
        screen.receive(Self.shown(3, "third"))
        #expect(Self.text(screen).contains("> * 01:01  first"))
        #expect(screen.receive(.home) == [])
        screen.receive(Self.shown(4, "fourth"))
        #expect(Self.text(screen).contains("> * 01:01  fourth"))
        // The same number again is the same entry, with what can be read now.
        screen.receive(Self.shown(4, "the fourth"))
        #expect(Self.text(screen).contains("> * 01:01  the fourth"))
        screen.receive(.removed(Self.item(4, "the fourth")))
        #expect(Self.text(screen).contains("> * 01:01  third"))
    }

    @Test("a text goes to a user on the platforms that are switched on; errors stay to be read")
    func send() {
        var screen = Self.screen()
        #expect(Self.press(&screen, "3") == [])
        #expect(Self.press(&screen, "bob") == [])
        #expect(Self.press(&screen, [.enter]) == [])
        // Digits are text in a field.
        #expect(Self.press(&screen, "Tea? q 1") == [])
        #expect(!Self.text(screen).contains("wns"))
        var wanted = PhoneCommand(
            .send,
            user: "bob",
            text: "Tea? q 1",
            platforms: ["apple", "gcm", "wns"]
        )
        // One Enter sends from the message.
        #expect(screen.receive(.enter) == [.perform(wanted)])
        screen.receive(PhoneLine.sent(problems: "there is no user 'bob'"))
        screen.receive(PhoneLine.done(fault: nil))
        #expect(Self.text(screen).contains("There is no user 'bob'; your message is kept"))
        #expect(Self.text(screen).contains("Tea? q 1"))
        // Who asks for the platforms switches one off: gcm. The tutorials' three are on.
        #expect(Self.press(&screen, [.pageDown, .enter, .down, .down, .enter]) == [])
        #expect(Self.text(screen).contains("> [ ] gcm"))
        wanted.platforms = ["apple", "wns"]
        #expect(Self.press(&screen, [.pageUp, .down, .down, .enter]) == [.perform(wanted)])
        let secure = PhoneCommand(.sendSecure, user: "bob", text: "Tea? q 1")
        #expect(Self.press(&screen, [.down, .enter]) == [.perform(secure)])
        screen.receive(PhoneLine.done(fault: nil))
        #expect(Self.text(screen).contains("Done."))
        let picture = PhoneCommand(.sendRich)
        #expect(Self.press(&screen, [.down, .enter]) == [.perform(picture)])
    }

    @Test("the news need a key, which is typed unseen where none was given")
    func news() {
        var screen = Self.screen(user: nil, hasBackend: false, hasListenKey: true)
        #expect(Self.press(&screen, [.tab]) == [])
        #expect(Self.press(&screen, "hello") == [])
        // Enter leads from the message to the key that is missing.
        #expect(Self.press(&screen, [.enter]) == [])
        #expect(Self.text(screen).contains("needs a send key"))
        #expect(Self.press(&screen, "Endpoint=sb://x/") == [])
        #expect(!Self.text(screen).contains("Endpoint"))
        var wanted = PhoneCommand(.sendNews, text: "hello")
        wanted.key = "Endpoint=sb://x/"
        #expect(Self.press(&screen, [.down, .enter]) == [.perform(wanted)])
    }

    @Test(
        "what arrives rings once and stands in the footer, with sender and time when it is opened"
    )
    func arrival() {
        var screen = Self.screen()
        func rings() -> Bool { screen.takeBell() }
        #expect(!rings())
        screen.receive(Self.registered("Registered successfully!", id: "1-1-1"))
        screen.receive(Self.shown(1, "From alice: Tea?"))
        let rung = [rings(), rings()]
        #expect(rung == [true, false])
        let footer = screen.frame(columns: 80, rows: 24).text.suffix(2).first
        #expect(footer == "From alice: Tea?")
        // The same entry with another text is nothing new.
        screen.receive(Self.shown(1, "From alice: Coffee?"))
        #expect(!rings())
        screen.receive(.opened(PhoneLine.Opened(Self.item(1, "From alice: Coffee?"))))
        #expect(Self.text(screen).contains("  Coffee?"))
        #expect(Self.text(screen).contains("from alice, 1970-01-01 01:01"))
    }

    @Test("an app without a connection says when it tries again, and has a key for now")
    func nextTry() {
        var screen = Self.screen()
        #expect(Self.text(screen).contains("not connected"))
        screen.receive(.disconnected(retryInMilliseconds: 1_100))
        #expect(Self.text(screen).contains("next try in 2 s, Ctrl-R now"))
        for _ in 0..<3 { screen.tick() }
        #expect(Self.text(screen).contains("next try in 0 s"))
        #expect(screen.receive(.control("r")) == [.reconnect])
        screen.receive(.connected)
        screen.tick()
        #expect(Self.text(screen).contains("| connected"))
        #expect(screen.receive(.control("r")) == [])
    }

    @Test(
        "dates are those of the calendar",
        arguments: [
            (0, "1970-01-01 00:00"), (-1, "1969-12-31 23:59"), (951_826_440, "2000-02-29 12:14"),
            (1_777_885_923, "2026-05-04 09:12"), (4_107_542_399, "2100-02-28 23:59"),
        ] as [(Int64, String)]
    )
    func dates(_ seconds: Int64, _ text: String) { #expect(CivilMinute(seconds).text == text) }

    @Test("Control-C and q end it, but q is a letter in a field")
    func quits() {
        var screen = Self.screen()
        #expect(Self.press(&screen, "q") == [.quit])
        #expect(Self.press(&screen, "3q") == [])
        #expect(screen.receive(.control("c")) == [.quit])
        #expect(screen.receive(.control("d")) == [.quit])
    }

    @Test("at every size, with every page, no line is too wide and none is too many")
    func sizes() {
        let hostile =
            "\u{1B}[2J\u{202E}日本語🍰 and something long " + String(repeating: "x", count: 200)
        for columns in [1, 2, 3, 5, 8, 12, 20, 40, 80, 200] {
            for rows in [1, 2, 3, 4, 6, 9, 24, 60] {
                var screen = Self.screen(user: hostile, hasListenKey: true)
                for number in 1...30 { screen.receive(Self.shown(number, hostile)) }
                screen.receive(PhoneLine.problem(hostile))
                for _ in 0..<5 {
                    Self.expectFits(screen, columns, rows)
                    _ = screen.receive(.tab)
                }
                let content = PhoneLine.OpenedContent(
                    mediaType: hostile,
                    bytes: 1,
                    path: hostile,
                    content: hostile
                )
                screen.receive(Self.opened(30, hostile, content))
                Self.expectFits(screen, columns, rows)
                _ = Self.press(&screen, [.pageDown, .pageDown])
                Self.expectFits(screen, columns, rows)
            }
        }
    }

    private static func expectFits(_ screen: AppScreen, _ columns: Int, _ rows: Int) {
        let frame = screen.frame(columns: columns, rows: rows)
        #expect(frame.lines.count == rows, "\(columns)x\(rows)")
        let widest = frame.text.map { SafeText.cells(of: $0) }.max() ?? 0
        #expect(widest <= columns, "\(columns)x\(rows): \(frame.text)")
        let isSafe = frame.text.joined().unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control && $0.value != 0x202E
        }
        #expect(isSafe, "\(columns)x\(rows)")
        if let cursor = frame.cursor {
            #expect(cursor.row < rows && cursor.column < columns, "\(columns)x\(rows)")
        }
    }

    @Test("the focus is in sight on every page and at every height")
    func scrolls() {
        for rows in 1...24 {
            var screen = Self.screen(hasListenKey: true)
            for number in 1...30 { screen.receive(Self.shown(number, "number \(number)")) }
            for _ in 0..<4 {
                for _ in 0..<12 {
                    let lines = screen.frame(columns: 60, rows: rows).text
                    #expect(lines.contains { $0.hasPrefix("> ") }, "\(rows): \(lines)")
                    _ = screen.receive(.down)
                }
                _ = screen.receive(.tab)
            }
        }
    }

    @Test(
        "what a terminal is sent has only sequences of its own, and no colours when none are wanted"
    )
    func terminal() {
        var screen = Self.screen()
        screen.receive(Self.shown(1, "\u{1B}]0;owned\u{07}\u{1B}[31mred"))
        screen.receive(PhoneLine.problem("bad"))
        let frame = screen.frame(columns: 80, rows: 24)
        let plain = frame.terminalText(hasColours: false)
        let coloured = frame.terminalText(hasColours: true)
        #expect(coloured.contains("\u{1B}[31mBad"))
        #expect(!plain.contains("\u{1B}[31m") && !plain.contains("\u{1B}[32m"))
        #expect(!plain.contains("\u{1B}]") && !plain.contains("\u{07}"))
        #expect(plain.contains("\\u{1B}]0;owned\\u{7}"))
    }
}
