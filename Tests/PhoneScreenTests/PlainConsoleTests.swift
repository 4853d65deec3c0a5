import DeviceEmulator
import PhoneScreen
import Testing

@Suite("The phone as lines")
struct PlainConsoleTests {
    private static func request(_ line: String) -> PlainConsole.Request {
        var console = PlainConsole()
        return console.receive(line)
    }

    @Test("each command means what the help says")
    func commands() {
        #expect(Self.request(" login alice ") == .logIn(user: "alice"))
        #expect(Self.request("logout") == .perform(PhoneCommand(.logOut)))
        #expect(
            Self.request("subscribe sports World")
                == .perform(PhoneCommand(.subscribe, tags: ["World", "Sports"]))
        )
        var french = PhoneCommand(.subscribe, tags: ["World"])
        french.locale = "fr"
        #expect(Self.request("subscribe World locale:FR") == .perform(french))
        #expect(Self.request("subscribe none") == .perform(PhoneCommand(.subscribe, tags: [])))
        #expect(
            Self.request("send bob  Tea  at four ")
                == .perform(
                    PhoneCommand(
                        .send,
                        user: "bob",
                        text: "Tea  at four ",
                        platforms: ["apple", "gcm", "wns"]
                    )
                )
        )
        #expect(
            Self.request("secure bob x")
                == .perform(PhoneCommand(.sendSecure, user: "bob", text: "x"))
        )
        #expect(Self.request("news a b") == .perform(PhoneCommand(.sendNews, text: "a b")))
        #expect(Self.request("picture") == .perform(PhoneCommand(.sendRich)))
        var open = PhoneCommand(.open)
        #expect(Self.request("open") == .perform(open))
        open.number = 3
        #expect(Self.request("open 3") == .perform(open))
        #expect(Self.request("quit") == .quit)
        #expect(Self.request("") == .say([]))
        #expect(Self.request("help") == .say(PlainConsole.help))
    }

    @Test("platforms hold for the sends that follow")
    func platforms() {
        var console = PlainConsole()
        #expect(console.receive("platforms GCM") == .say(["platforms: gcm"]))
        let wanted = PhoneCommand(.send, user: "bob", text: "x", platforms: ["gcm"])
        #expect(console.receive("send bob x") == .perform(wanted))
    }

    @Test(
        "what is not a command is refused by name",
        arguments: [
            ("fly", "fly: "), ("open x", "open: "), ("send bob", "send: "), ("login", "login: "),
            ("subscribe Wold", "Wold: "), ("subscribe locale:xx", "locale:en"),
            ("\u{1B}[2J", "\\u{1B}[2J: "),
        ]
    )
    func refuses(_ line: String, _ words: String) {
        guard case .refuse(let lines) = Self.request(line) else {
            Issue.record("\(line) was taken")
            return
        }
        #expect(lines.joined().contains(words), "\(lines)")
    }

    @Test("every line that is printed is one line without a control sequence")
    func prints() {
        let hostile = "\u{1B}[2J\nnew\u{9B}"
        let item = PhoneLine.Item(number: 1, id: hostile, text: hostile, receivedAt: 0)
        let content = PhoneLine.OpenedContent(
            mediaType: hostile,
            bytes: 1,
            ends: hostile,
            path: hostile,
            content: hostile
        )
        let lines: [PhoneLine] = [
            .started(user: hostile, categories: [hostile]), .connected,
            .disconnected(retryInMilliseconds: 12_400),
            .loggedIn(user: hostile), .loggedOut, .loginEnded(user: hostile),
            .registered(PhoneLine.Registered(text: hostile, id: hostile, tags: [hostile])),
            .shown(PhoneLine.Shown(item, mediaType: hostile)), .entry(item), .removed(item),
            .opened(PhoneLine.Opened(item, content: content)), .sent(problems: hostile),
            .gap(reason: hostile, lost: 1), .problem(hostile), .done(fault: hostile),
        ]
        for line in lines {
            let printed = PlainConsole.line(line) ?? ""
            #expect(!printed.isEmpty, "\(line.event)")
            let isPlain = printed.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control
            }
            #expect(isPlain, "\(line.event): \(printed)")
        }
        let picture = PhoneLine.Item(
            number: 4,
            id: "",
            text: "Check this image out!",
            receivedAt: 0
        )
        let shown = PhoneLine.Shown(picture, buttons: ["OK", "More"])
        #expect(PlainConsole.line(.shown(shown)) == "[4] Check this image out! [OK] [More]")
        #expect(PlainConsole.line(.done(fault: nil)) == nil)
        #expect(PlainConsole.line(.done(fault: "no")) == "failed: no")
    }
}
