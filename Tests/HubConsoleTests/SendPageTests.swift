import HubConsole
import HubDirectory
import HubModel
import HubREST
import HubVocabulary
import Testing

@Suite("Sending from the console")
struct SendPageTests {
    private let template = #"{"aps":{"alert":"$(title)"}}"#

    @Test("a preview shows one text of each template, as a device would get it")
    func preview() async throws {
        let world = ConsoleWorld()
        for _ in 1...3 { try await world.register(template: template) }
        try await world.register(platform: .gcm, template: #"{"data":{"t":"$(title)"}}"#)
        let browser = try await world.browser(.sender)
        let page = try await world.post(
            "h/news/send/preview",
            browser,
            ["format": "template", "tags": "World", "body": #"{"title":"Bonjour"}"#]
        )
        #expect(page.status == 200)
        #expect(page.body.contains("4 registrations"))
        #expect(page.body.contains("{&quot;aps&quot;:{&quot;alert&quot;:&quot;Bonjour&quot;}}"))
        #expect(page.body.contains("{&quot;data&quot;:{&quot;t&quot;:&quot;Bonjour&quot;}}"))
        let panes = page.body.split(separator: "<article", omittingEmptySubsequences: false)
        #expect(panes.count == 3)
        #expect(world.audit.map(\.operation) == ["console.signIn"])
    }

    @Test("what is wrong is told above the form, and what was typed stays")
    func refused() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.sender)
        for path in ["preview", "test"] {
            let page = try await world.post(
                "h/news/send/\(path)",
                browser,
                ["format": "apple", "tags": "World &&", "body": "line 1\nline 2"]
            )
            #expect(page.status == 400)
            #expect(page.body.contains("role=\"alert\""))
            #expect(page.body.contains("value=\"World &amp;&amp;\""))
            #expect(page.body.contains("\nline 1\nline 2</textarea>"))
        }
    }

    @Test("a send to many says how many, and asks for the hub's name")
    func ask() async throws {
        let world = ConsoleWorld()
        try await world.register()
        let browser = try await world.browser(.sender)
        let body = #"{"aps":{}}"#
        let few = try await world.post(
            "h/news/send/ask",
            browser,
            ["format": "apple", "tags": "World", "body": body]
        )
        #expect(few.body.contains("Send to 1<"))
        #expect(!few.body.contains("type the hub&#39;s name"))
        let everyone: KeyValuePairs = ["format": "apple", "body": body, "key": "k1"]
        let all = try await world.post("h/news/send/ask", browser, everyone)
        #expect(all.body.contains("type the hub&#39;s name"))
        let refused = try await world.post("h/news/send/all", browser, everyone)
        #expect(refused.status == 400)
        let named: KeyValuePairs = [
            "format": "apple", "body": body, "key": "k1", "name": "news",
        ]
        let sent = try await world.post("h/news/send/all", browser, named)
        #expect(sent.status == 303)
        let again = try await world.post("h/news/send/all", browser, named)
        #expect(again["Location"] == sent["Location"])
        let list = try await world.get("h/news/notifications", browser)
        #expect(list.body.split(separator: "<td>everyone</td>").count == 2)
    }

    @Test("a test send that nobody matches says so")
    func nobody() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.sender)
        let page = try await world.post(
            "h/news/send/test",
            browser,
            ["format": "apple", "tags": "World", "body": "{}"]
        )
        #expect(page.body.contains("No registration matches."))
    }

    @Test("a test send leads to a page that follows each registration")
    func outcome() async throws {
        let world = ConsoleWorld()
        let registration = try await world.register()
        let id = try await world.send(tags: "World", body: "{}")
        let name = try #require(NotificationName(parsing: Array(id.utf8)))
        world.hub.answer(
            TestSend.self,
            TestOutcome(
                notification: name,
                results: [
                    TestOutcome.Result(
                        platform: .apple,
                        handle: [],
                        registration: Array(registration.utf8),
                        verdict: .sent
                    )
                ]
            )
        )
        let browser = try await world.browser(.sender)
        let sent = try await world.post(
            "h/news/send/test",
            browser,
            ["format": "apple", "tags": "World", "body": "{}"]
        )
        #expect(
            sent["Location"] == "/$belfry/ui/h/news/tests/\(id)?r=\(registration)",
            "\(sent.body)"
        )
        let page = try await world.get("h/news/tests/\(id)?r=\(registration)", browser)
        #expect(page.body.contains("0 of 1 have acknowledged."))
        #expect(page.body.contains("data-live=\"\(registration)-state\""))
        let live = try await world.get("h/news/tests/\(id)?r=\(registration)&live=1", browser)
        #expect(live.body.contains(#""summary":"0 of 1 have acknowledged.""#))
        #expect(world.audit.last?.operation == "console.testSend")
    }

    @Test("a send for later to everyone asks for the hub's name too")
    func askSchedule() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.sender)
        let everyone: KeyValuePairs = [
            "format": "apple", "body": "{}", "time": "2026-05-05T18:30:00",
        ]
        let asked = try await world.post("h/news/send/ask-later", browser, everyone)
        #expect(asked.body.contains("type the hub&#39;s name"))
        #expect(asked.body.contains("action=\"/$belfry/ui/h/news/send/later\""))
        #expect(asked.body.contains("name=\"time\" value=\"2026-05-05T18:30:00\""))
        #expect(try await world.post("h/news/send/later", browser, everyone).status == 400)
        let named: KeyValuePairs = [
            "format": "apple", "body": "{}", "time": "2026-05-05T18:30:00", "name": "news",
        ]
        #expect(try await world.post("h/news/send/later", browser, named).status == 303)
        let few = try await world.post(
            "h/news/send/ask-later",
            browser,
            ["format": "apple", "tags": "World", "body": "{}", "time": "2026-05-05T18:30:00"]
        )
        #expect(few.body.contains("Schedule to 0<"))
    }

    @Test("a send for later stands among the schedules until it is cancelled")
    func schedule() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.sender)
        let made = try await world.post(
            "h/news/send/later",
            browser,
            ["format": "apple", "tags": "World", "body": "{}", "time": "2026-05-05T18:30:00"]
        )
        #expect(made["Location"] == "/$belfry/ui/h/news/schedules")
        let page = try await world.get("h/news/schedules", browser)
        #expect(page.body.contains("2026-05-05 18:30:00"))
        let start = try #require(page.body.firstRange(of: "/schedules/")?.upperBound)
        let id = page.body[start...].prefix { $0 != "/" }
        let cancelled = try await world.post("h/news/schedules/\(id)/cancel", browser)
        #expect(cancelled.status == 303)
        #expect(
            try await world.get("h/news/schedules", browser).body.contains("Nothing is scheduled.")
        )
    }
}
