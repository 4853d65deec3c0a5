import HubConsole
import HubModel
import HubQuestions
import HubREST
import HubVocabulary
import Testing

@Suite("Pages and their states")
struct PageContentTests {
    @Test(
        "an empty list says why it is empty",
        arguments: [
            ("", "Nothing was sent yet."), ("notifications", "Nothing was sent yet."),
            ("devices", "No device fits."), ("registrations", "There is no registration yet."),
            ("installations", "No installation fits."), ("tags", "No registration has a tag yet."),
            ("schedules", "Nothing is scheduled."), ("jobs", "No export or import was begun."),
            ("registrations?tag=x", "No registration has this tag."),
            ("audience?tags=x", "0 registrations."),
        ]
    )
    func empty(path: String, sentence: String) async throws {
        let world = ConsoleWorld()
        let page = try await world.get("h/news/\(path)", try await world.browser())
        #expect(page.status == 200)
        #expect(page.body.contains(sentence), "\(page.body)")
        #expect(page.body.contains("<html lang=\"en\">"))
        #expect(page.body.contains("<main id=\"main\""))
    }

    @Test("the overview shows the numbers, the latest, and what needs attention")
    func overview() async throws {
        let world = ConsoleWorld()
        _ = try await world.send(tags: "World && !Sports", body: "{}")
        let browser = try await world.browser(.viewer)
        let page = try await world.get("h/news/", browser)
        #expect(page.body.contains("<span data-live=\"registrations\">12,304</span>"))
        #expect(page.body.contains("<bdi>World &amp;&amp; !Sports</bdi>"))
        #expect(page.body.contains("healthy"))
        world.hub.fail(ConsoleHub.news, "The disk is full.")
        let broken = try await world.get("h/news/", browser)
        #expect(broken.body.contains("hub &#39;news&#39;: The disk is full."))
        #expect(broken.body.contains("problems"))
        let live = try await world.get("h/news/?live=1", browser)
        #expect(live["Content-Type"] == "application/json")
        #expect(live.body.contains(#""registrations":"12,304""#))
    }

    @Test("problems of a hub are told to those who reach it")
    func problems() async throws {
        let world = ConsoleWorld()
        let all = try await world.browser(.viewer)
        let one = try await world.browser(.viewer, hub: ConsoleHub.news, name: "bob")
        world.hub.fail(ConsoleHub.other, "The disk is full.")
        for path in ["h/news/", "health"] {
            let (told, hidden) = (try await world.get(path, all), try await world.get(path, one))
            #expect(told.body.contains("hub &#39;other&#39;: The disk is full."))
            #expect(told.body.contains("problems"))
            #expect(
                !hidden.body.contains("&#39;other&#39;")
                    && !hidden.body.contains("The disk is full.")
            )
            #expect(hidden.body.contains("healthy"))
        }
        world.hub.fail(ConsoleHub.news, "The disk is full.")
        #expect(try await world.get("health", one).body.contains("The disk is full."))
    }

    @Test("a notification is shown without its payload, which a manager may ask for")
    func notification() async throws {
        let world = ConsoleWorld()
        try await world.register()
        let id = try await world.send(tags: "World", body: #"{"secret":1}"#)
        let browser = try await world.browser()
        let list = try await world.get("h/news/notifications", browser)
        #expect(list.body.contains("/$belfry/ui/h/news/notifications/\(id)"))
        let page = try await world.get("h/news/notifications/\(id)", browser)
        #expect(page.status == 200)
        #expect(!page.body.contains("secret"))
        #expect(page.body.contains("apple"))
        let payload = try await world.post("h/news/notifications/\(id)/payload", browser)
        #expect(payload.body.contains("<bdi>{&quot;secret&quot;:1}</bdi>"))
        #expect(world.audit.last?.operation == "console.showPayload")
        #expect(world.audit.last?.subject.contains("/notifications/") == true)
        let viewer = try await world.browser(.viewer, name: "bob")
        let seen = try await world.get("h/news/notifications/\(id)", viewer)
        #expect(!seen.body.contains("Show the payload"))
    }

    @Test("notifications are found by tag, time and format, and a page keeps what was asked")
    func filtered() async throws {
        let world = ConsoleWorld()
        let first = try await world.send(tags: "World && !x", body: "{}")
        let second = try await world.send(tags: "Sports", body: "{}")
        let browser = try await world.browser(.viewer)
        let page = try await world.get("h/news/notifications?tag=WORLD&format=apple", browser).body
        #expect(page.contains(first) && !page.contains(second))
        #expect(page.contains("value=\"WORLD\""))
        let none = try await world.get("h/news/notifications?since=2027-01-01T00:00:00Z", browser)
            .body
        #expect(none.contains("No notification fits."))
        let wrong = try await world.get("h/news/notifications?since=nine", browser)
        #expect(wrong.status == 400 && wrong.body.contains("since: is no time"))
    }

    @Test("a notification shows how old it was when devices told of it, drawn and as a table")
    func curve() async throws {
        let world = ConsoleWorld()
        let id = try await world.send(tags: "World", body: "{}")
        let browser = try await world.browser(.viewer)
        let plain = try await world.get("h/news/notifications/\(id)", browser)
        #expect(!plain.body.contains("When devices told of it"))
        let name = try #require(NotificationName(parsing: Array(id.utf8)))
        var curve = ReceiptCurve()
        curve.add(.acknowledged, 1_200, age: 400)
        curve.add(.acknowledged, 34, age: 4_000)
        curve.add(.opened, 7, age: 50_000)
        world.hub.answer(
            GetDetails.self,
            NotificationDetails(
                record: NotificationRecord(
                    sequence: 1,
                    id: name.id,
                    draft: NotificationDraft(
                        format: .template,
                        target: .broadcast,
                        body: [],
                        timeToLive: .seconds(60)
                    )
                ),
                state: .completed,
                started: nil,
                ended: nil,
                platforms: [],
                curve: curve
            )
        )
        let page = try await world.get("h/news/notifications/\(id)", browser).body
        #expect(page.contains("1,234 acknowledged, half of them within 500 ms, 99 % within 5 s."))
        #expect(page.split(separator: "<polyline ").count == 4)
        #expect(page.contains("<th scope=\"col\">Age up to</th>"))
        #expect(page.contains("<td>1 min</td>"))
        #expect(!page.contains("<td>2 min</td>"))
    }

    @Test("registrations that missed a notification are listed with the cause, without handles")
    func failures() async throws {
        let world = ConsoleWorld()
        try await world.register()
        let id = try await world.send(tags: "World", body: "{}")
        let browser = try await world.browser(.viewer)
        let address = "h/news/notifications/\(id)/failures"
        #expect(try await world.get("h/news/notifications/\(id)", browser).body.contains(address))
        let name = try #require(NotificationName(parsing: Array(id.utf8)))
        var part = FailurePart(notification: name)
        world.hub.answer(FindFailures.self, part)
        let none = try await world.get(address, browser).body
        #expect(none.contains("No registration is known to have missed it."))
        part.found = (1...100).map { number in
            DeliveryFailure(
                time: ConsoleHub.start,
                kind: number == 1 ? .unknownHandle : .dropped,
                platform: .apple,
                handle: Array("handle-of-\(number)".utf8),
                registration: number == 2 ? [] : Array("1-1-\(number)".utf8)
            )
        }
        part.next = 700
        world.hub.answer(FindFailures.self, part)
        let page = try await world.get(address, browser).body
        #expect(page.contains("/registrations/1-1-1\"") && page.contains("no device of this hub"))
        #expect(page.contains("none: a handle was named") && !page.contains("handle-of"))
        #expect(page.contains("failures?from=700\" rel=\"next\""))
    }

    @Test("an explanation is a timeline with the hub's own sentence on top")
    func explain() async throws {
        let world = ConsoleWorld()
        let registration = try await world.register(tags: ["Mara"])
        let id = try await world.send(tags: "World", body: "{}")
        let browser = try await world.browser(.viewer)
        let path = "h/news/explain?notification=\(id)&subject=\(registration)"
        let page = try await world.get(path, browser)
        #expect(page.status == 200)
        #expect(page.body.contains("do not satisfy &#39;World&#39;"), "\(page.body)")
        #expect(page.body.contains("accepted at place 1"))
        #expect(page.body.contains(" had the tag <bdi>Mara</bdi> from place 1 on"))
        #expect(page.body.contains(#"✗</span> <bdi>World</bdi>"#))
        let missing = try await world.get("h/news/explain?notification=\(id)", browser)
        #expect(missing.status == 400)
        let unknown = try await world.get("h/news/explain?notification=x&subject=1-2-3", browser)
        #expect(unknown.status == 400)
    }

    @Test("devices are listed, found by state, and one is shown with what it got")
    func devices() async throws {
        let world = ConsoleWorld()
        _ = try await world.send(tags: "World", body: "{}")
        let browser = try await world.browser(.viewer)
        let found = [ConsoleWorld.device(1, behind: 8_120), ConsoleWorld.device(2)]
        world.hub.answer(ListDevices.self, InspectedPart(found, next: nil))
        let list = try await world.get("h/news/devices?state=away&sort=behind", browser)
        #expect(list.body.contains("00010203040506070000000000000001"))
        #expect(list.body.contains("8,120"))
        #expect(list.body.contains("◐</span> away"))
        #expect(try await world.get("h/news/devices?prefix=xyz", browser).status == 400)
        #expect(try await world.get("h/news/devices?tag=a&user=b", browser).status == 400)
        world.hub.answer(ListDevices.self, InspectedPart(found, next: 7))
        let users = try await world.get("h/news/devices?user=mara", browser).body
        #expect(users.contains("value=\"mara\"") && users.contains("?user=mara&amp;from="))
        world.hub.answer(GetDevice.self, GetDevice.Reply(device: found[0], registrations: []))
        let page = try await world.get(
            "h/news/devices/00010203040506070000000000000001",
            browser
        )
        #expect(page.body.contains("No registration leads to it"))
        #expect(page.body.contains("The newest notifications, at this device"))
        #expect(!page.body.contains("Revoke this device"))
        #expect(try await world.get("h/news/devices/xyz", browser).status == 400)
    }

    @Test("handles are masked for every role", arguments: ConsoleRole.allCases)
    func handles(role: ConsoleRole) async throws {
        let world = ConsoleWorld()
        let handle = String(repeating: "0123456789abcdef", count: 4)
        let id = try await world.register(handle: handle)
        let browser = try await world.browser(role)
        for path in ["registrations", "registrations/\(id)", "audience?tags=World"] {
            let page = try await world.get("h/news/\(path)", browser).body
            #expect(page.lowercased().contains("01234567…"), "\(path)")
            #expect(!page.lowercased().contains("0123456789"), "\(path)")
        }
    }

    @Test("find leads straight to the one thing that a text names")
    func find() async throws {
        let world = ConsoleWorld()
        let registration = try await world.register(tags: ["World", "$UserId:{mara}"])
        let id = try await world.send(tags: "World", body: "{}")
        let browser = try await world.browser(.viewer)
        for (text, address) in [
            (id, "notifications/\(id)"), (registration, "registrations/\(registration)"),
            ("world", "registrations?tag=world"),
            ("mara", "registrations?tag=%24UserId%3A%7Bmara%7D"),
        ] {
            let query = PercentCoding.encoded(text)
            let reply = try await world.get("find?hub=news&q=\(query)", browser)
            #expect(reply["Location"] == "/$belfry/ui/h/news/\(address)", "\(text)")
        }
        let nothing = try await world.get("find?hub=news&q=nothing", browser)
        #expect(nothing.body.contains("Nothing is known as <bdi>nothing</bdi>"))
    }

    @Test("settings, keys and hubs change, and the hub knows it")
    func effects() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        try await world.confirm(browser)
        let changed = try await world.post("h/news/settings", browser, ["deviceCap": "500"])
        #expect(changed.status == 303)
        #expect(try await world.get("h/news/settings", browser).body.contains("value=\"500\""))
        let wrong = try await world.post("h/news/settings", browser, ["deviceCap": "many"])
        #expect(wrong.status == 400)
        #expect(wrong.body.contains("must be a whole number"))
        let kept = try await world.post("h/news/delete", browser, ["name": "other"])
        #expect(kept.status == 400)
        #expect(try await world.post("hubs", browser, ["name": "fresh"]).status == 303)
        #expect(try await world.get("/$belfry/ui/", browser).body.contains(">fresh<"))
        #expect(try await world.post("h/other/delete", browser, ["name": "other"]).status == 303)
        #expect(try await world.get("h/other/", browser).status == 404)
    }

    @Test("the audit and the server's settings are shown, and a broken audit is told")
    func server() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        #expect(try await world.get("audit", browser).body.contains("Nothing was changed yet."))
        let act = ConsoleAct(
            operation: "console.purge",
            subject: "/x",
            rule: "Root",
            name: "alice",
            hub: nil,
            tracking: "t",
            result: .refused(status: 404)
        )
        world.hub.audited([AuditEntry(act, number: 1, now: ConsoleHub.start)])
        let audit = try await world.get("audit", browser)
        #expect(audit.body.contains("console.purge"))
        #expect(audit.body.contains("<bdi>alice</bdi>"))
        #expect(audit.body.contains("refused 404"))
        let time = TimeText.iso8601(ConsoleHub.start)
        let since = try await world.get("audit?since=\(time)", browser).body
        #expect(since.contains("console.purge") && since.contains("value=\"\(time)\""))
        let until = try await world.get("audit?until=\(time)", browser).body
        #expect(until.contains("No change of this time.") && !until.contains("console.purge"))
        let wrong = try await world.get("audit?since=nine", browser)
        #expect(wrong.status == 400 && wrong.body.contains("since: is no time"))
        world.hub.audited(nil)
        #expect(try await world.get("audit", browser).status == 503)
        let page = try await world.get("server", browser)
        #expect(page.body.contains("1.2.3"))
        #expect(page.body.contains("a.example"))
        #expect(try await world.get("health", browser).body.contains("It ends in 10 days"))
    }

    @Test("an act is in the audit before it, and with its result, and names what it is about")
    func acts() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        try await world.confirm(browser)
        let before = world.audit.count
        _ = try await world.post("hubs", browser, ["name": "fresh"])
        let rule = "DefaultSendSharedAccessSignature"
        _ = try await world.post("h/news/access/renew", browser, ["rule": rule, "key": "primary"])
        _ = try await world.post("h/news/purge", browser, ["through": "x"])
        _ = try await world.post(
            "h/news/send/all",
            browser,
            ["format": "apple", "tags": "World &&", "body": "secret", "key": "once"]
        )
        _ = try await world.post("confirm", browser, ["digits": "000"])
        let ui = "/$belfry/ui"
        let lines = world.audit.dropFirst(before).map { "\($0.subject) \($0.result.word)" }
        let expected = [
            ("/hubs name=fresh", "done"), ("/h/news/access/renew rule=\(rule) key=primary", "done"),
            ("/h/news/purge through=x", "refused 400"),
            ("/h/news/send/all format=apple tags=World &&", "refused 400"),
            ("/confirm", "refused 403"),
        ].flatMap { ["\(ui)\($0) begun", "\(ui)\($0) \($1)"] }
        #expect(lines == expected)
    }

    @Test("what a hub refuses is told in its own words, with a code and a tracking id")
    func refused() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        world.hub.refuse(.storeFull)
        let page = try await world.get("h/news/registrations", browser)
        #expect(page.status == 507)
        #expect(page.body.contains("role=\"alert\""))
        #expect(page.body.contains("Tracking id"))
        #expect(page["Retry-After"] == "60")
        world.hub.refuse(nil)
        #expect(try await world.get("h/news/registrations/1-2-3", browser).status == 404)
        #expect(try await world.get("h/nowhere/", browser).status == 404)
        #expect(try await world.send("POST", "h/news/devices", browser).status == 405)
    }
}
