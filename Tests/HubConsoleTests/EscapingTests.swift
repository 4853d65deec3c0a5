import HubConsole
import HubDirectory
import HubModel
import HubQuestions
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

    /// As a field has what was typed: nothing of it is markup.
    private static func typed(_ text: String) -> String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// As a page shows what a stranger wrote: nothing of it hides either.
    private static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{202E}": shown += "[U+202E]"
            case "\u{200B}": shown += "[U+200B]"
            case "\u{FEFF}": shown += "[U+FEFF]"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return typed(shown)
    }

    /// Nothing that a stranger wrote may begin or end a tag.
    private static func check(_ page: String, _ attack: String, _ place: String) {
        for part in ["<script>alert", "<script>1", "<img", "<!--", "' on"] {
            #expect(!page.contains(part), "\(attack) in \(place)")
        }
    }

    /// A page shows a text as it should, and in no other form.
    private static func check(
        _ page: ConsoleWorld.Reply,
        shows text: String,
        _ place: String
    ) {
        #expect(page.status == 200, "\(place)")
        #expect(page.body.contains(shown(text)), "\(text) is not in \(place)")
        check(page.body, text, place)
        for character in ["\u{202E}", "\u{200B}", "\u{FEFF}"] {
            #expect(!page.body.unicodeScalars.contains(character.unicodeScalars.first ?? "?"))
        }
    }

    @Test("stays text in every field that a page shows", arguments: attacks)
    func fields(attack: String) async throws {
        let world = ConsoleWorld()
        let name = String(attack.prefix(60))
        let browser = try await world.browser(name: name)
        let template = "{\"text\":\"typed \(attack.replacing("\"", with: "\\\""))\"}"
        let handle = attack + String(repeating: "x", count: 40)
        let id = try await world.register(
            handle: handle,
            platform: .gcm,
            tags: ["World", attack, "$UserId:{\(attack)}"],
            template: template
        )
        for (path, text) in [
            ("registrations", attack), ("registrations/\(id)", attack), ("tags", attack),
            ("registrations", "$UserId:{\(attack)}"), ("registrations/\(id)", template),
            ("registrations/\(id)", name),
        ] {
            let page = try await world.get("h/news/\(path)", browser)
            Self.check(page, shows: text, path)
        }
        Self.check(try await world.get("server", browser), shows: name, "server")
    }

    @Test("stays text where a hub tells it", arguments: attacks)
    func answers(attack: String) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let installation = Installation(
            number: InstallationNumber(1),
            id: Array(attack.utf8),
            platform: .apple,
            text: []
        )
        world.hub.answer(
            ListInstallations.self,
            ListInstallations.Reply([installation], matched: 1, next: nil, total: 1)
        )
        world.hub.answer(
            GetInstallation.self,
            GetInstallation.Reply(installation: installation, channelExpired: false)
        )
        var random = SystemRandomNumberGenerator()
        var job = BulkJob(
            id: JobID.make(now: ConsoleHub.start, random: &random),
            request: JobRequest(kind: .importCreate, output: attack, input: nil, rule: "r"),
            created: ConsoleHub.start
        )
        job.report = JobReport(status: .failed, failure: "because of \(attack)")
        world.hub.answer(ListJobs.self, [job])
        world.hub.rest(because: attack)
        world.hub.fail(ConsoleHub.news, attack)
        let act = ConsoleAct(
            operation: "console.purge",
            subject: "on \(attack)",
            rule: "rule \(attack)",
            name: "name \(attack)",
            hub: nil,
            tracking: "t",
            result: .begun
        )
        world.hub.audited([AuditEntry(act, number: 1, now: ConsoleHub.start)])
        for (path, text) in [
            ("h/news/installations", attack), ("h/news/installations/1", attack),
            ("h/news/jobs", attack), ("h/news/jobs", "because of \(attack)"),
            ("h/news/", "stands still: \(attack)"), ("h/news/", "hub 'news': \(attack)"),
            ("health", attack), ("audit", "on \(attack)"), ("audit", "rule \(attack)"),
            ("audit", "name \(attack)"),
        ] { Self.check(try await world.get(path, browser), shows: text, path) }
        let refused = TestOutcome.Result(
            platform: .apple,
            handle: [],
            registration: Array(attack.utf8),
            verdict: .service(.unanswered(attack))
        )
        world.hub.answer(TestSend.self, TestOutcome(notification: nil, results: [refused]))
        let test = try await world.post(
            "h/news/send/test",
            browser,
            ["format": "apple", "tags": "World", "body": "{}"]
        )
        Self.check(test, shows: attack, "a test's verdict")
        #expect(test.body.contains(Self.shown(refused.verdict.text)))
    }

    @Test("stays text where an address or a form brings it", arguments: attacks)
    func addresses(attack: String) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let text = PercentCoding.encoded(attack)
        for (path, status, isTyped) in [
            ("find?q=\(text)", 200, true), ("h/news/registrations?tag=\(text)", 200, true),
            ("h/news/tags?prefix=\(text)", 200, true), ("h/news/audience?tags=\(text)", 400, false),
            ("h/news/devices?tag=\(text)", 200, true),
            ("h/news/devices?prefix=\(text)", 400, false),
            ("h/news/installations?prefix=\(text)", 200, true),
            ("h/news/explain?notification=\(text)&subject=\(text)", 400, false),
            ("confirm?back=\(text)", 200, false), ("h/news/registrations/\(text)", 404, false),
            ("h/news/devices/\(text)", 400, false), ("h/news/installations/\(text)", 404, false),
            ("h/news/notifications/\(text)", 400, false), ("h/\(text)", 404, false),
            ("h/news/send?body=\(text)&tags=\(text)&time=\(text)&format=\(text)", 200, true),
            ("sign-in?back=\(text)", 200, false), ("\(text)", 404, false),
        ] {
            let page = try await world.get(path, browser)
            #expect(page.status == status, "\(path)")
            #expect(page.body.contains(Self.typed(attack)) || !isTyped, "\(path)")
            Self.check(page.body, attack, path)
            world.hub.pass(seconds: 1)
        }
        // An attribute for the script has it as it is.
        let tests = "h/news/tests/0193a5c2d7e37b5a917d5c0a9be83f10?r=\(text)"
        let followed = try await world.get(tests, browser)
        #expect(
            followed.status == 200 && followed.body.contains("<bdi>\(Self.shown(attack))</bdi>")
        )
        Self.check(followed.body, attack, tests)
        for path in ["preview", "test", "ask", "ask-later", "later", "all"] {
            let page = try await world.post(
                "h/news/send/\(path)",
                browser,
                ["format": "apple", "tags": attack, "body": attack, "time": attack, "key": attack]
            )
            #expect(page.status == 400, "\(path)")
            let isTyped = path == "preview" || path == "test"
            #expect(page.body.contains(Self.typed(attack)) || !isTyped, "\(path)")
            Self.check(page.body, attack, path)
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
