import DeviceEmulator
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
                        platforms: ["apns", "gcm", "wns"]
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
        let events: [PhoneLine.Event] = [
            .started, .connected, .disconnected, .loggedIn, .loggedOut, .loginEnded, .registered,
            .request, .push, .fetch, .shown, .entry, .removed, .opened, .sent, .gap, .problem,
            .done,
        ]
        for event in events {
            var line = PhoneLine(event, text: hostile)
            line.tags = [hostile]
            line.path = hostile
            line.content = hostile
            line.mediaType = hostile
            line.number = 1
            let printed = PlainConsole.line(line) ?? ""
            let isPlain = printed.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control
            }
            #expect(isPlain, "\(event): \(printed)")
        }
        var shown = PhoneLine(.shown, text: "Check this image out!")
        shown.number = 4
        shown.buttons = ["OK", "More"]
        #expect(PlainConsole.line(shown) == "[4] Check this image out! [OK] [More]")
        #expect(PlainConsole.line(PhoneLine(.done)) == nil)
        #expect(PlainConsole.line(PhoneLine(.done, text: "no")) == "failed: no")
    }
}
