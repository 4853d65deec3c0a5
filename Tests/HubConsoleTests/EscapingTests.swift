import HubConsole
import HubREST
import HubVocabulary
import Testing

@Suite("Text of strangers in pages")
struct EscapingTests {
    private static let attacks = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        "</textarea><script>1</script>", "{{7*7}}${7*7}", "javascript:alert(1)", "&lt;b&gt;",
        "<!--", "]]>", "a\u{202E}gpj.exe", "zero\u{200B}width", "\u{FEFF}mark",
    ]

    /// Nothing that a stranger wrote may begin or end a tag.
    private static func check(_ page: String, _ attack: String, _ place: String) {
        for part in ["<script>alert", "<script>1", "<img", "<!--", "' on"] {
            #expect(!page.contains(part), "\(attack) in \(place)")
        }
    }

    /// Nor may it hide; only a field keeps what was typed as it is.
    private static func checkShown(_ page: String, _ attack: String, _ place: String) {
        check(page, attack, place)
        for character in ["\u{202E}", "\u{200B}", "\u{FEFF}"] {
            #expect(!page.contains(character), "\(attack) in \(place)")
        }
    }

    @Test("stays text in every field that a page shows", arguments: attacks)
    func fields(attack: String) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(name: String(attack.prefix(60)))
        let quoted = attack.replacing("\"", with: "\\\"")
        let template = "{\"text\":\"typed \(quoted)\"}"
        let handle = attack + String(repeating: "x", count: 40)
        let id = try await world.register(handle: handle, platform: .gcm, template: template)
        for path in ["h/news/registrations", "h/news/registrations/\(id)", "server", "health"] {
            let page = try await world.get(path, browser)
            #expect(page.status == 200)
            Self.checkShown(page.body, attack, path)
        }
    }

    @Test("stays text where an address or a form brings it", arguments: attacks)
    func addresses(attack: String) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let text = PercentCoding.encoded(attack)
        for path in [
            "find?q=\(text)", "h/news/registrations?tag=\(text)", "h/news/tags?prefix=\(text)",
            "h/news/audience?tags=\(text)", "h/news/devices?tag=\(text)",
            "h/news/devices?prefix=\(text)", "h/news/installations?prefix=\(text)",
            "h/news/explain?notification=\(text)&subject=\(text)", "confirm?back=\(text)",
            "h/news/registrations/\(text)", "h/news/devices/\(text)",
            "h/news/installations/\(text)", "h/news/notifications/\(text)", "h/\(text)",
            "h/news/send?body=\(text)&tags=\(text)&time=\(text)&format=\(text)",
            "h/news/tests/0193a5c2d7e37b5a917d5c0a9be83f10?r=\(text)", "sign-in?back=\(text)",
            "\(text)",
        ] {
            Self.check(try await world.get(path, browser).body, attack, path)
            world.hub.pass(seconds: 1)
        }
        for path in ["preview", "test", "ask", "later", "all"] {
            let page = try await world.post(
                "h/news/send/\(path)",
                browser,
                ["format": "apple", "tags": attack, "body": attack, "time": attack, "key": attack]
            )
            Self.check(page.body, attack, path)
        }
        let audit = AuditEntry(
            ConsoleAct(
                operation: "console.purge",
                subject: attack,
                rule: attack,
                name: attack,
                hub: nil,
                tracking: "t",
                result: .begun
            ),
            number: 1,
            now: ConsoleHub.start
        )
        world.hub.audited([audit])
        Self.checkShown(try await world.get("audit", browser).body, attack, "audit")
        world.hub.fail(ConsoleHub.news, attack)
        for path in ["health", "h/news/"] {
            Self.checkShown(try await world.get(path, browser).body, attack, path)
        }
    }

    @Test("characters that hide are spelled out")
    func spelled() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(name: "a\u{202E}b")
        #expect(
            try await world.get("health", browser).body.contains("<bdi>a[U+202E]b</bdi>")
        )
    }
}
