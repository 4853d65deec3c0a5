import HubConsole
import HubHistory
import HubModel
import HubQuestions
import HubREST
import HubRules
import HubVocabulary
import Testing

@Suite("Hints, rules and jobs on pages")
struct HintPageTests {
    @Test("an audience shows each tag of its expression, and the tag that may be meant")
    func leaves() async throws {
        let world = ConsoleWorld()
        for number in 0..<3 {
            try await world.register(
                handle: String(repeating: "A\(number)", count: 32),
                tags: ["World", "locale:de"]
            )
        }
        let browser = try await world.browser(.viewer)
        let query = "audience?tags=world%20%26%26%20locale:gr%20%26%26%20nothing"
        let page = try await world.get("h/news/\(query)", browser).body
        #expect(page.contains("0 registrations."))
        #expect(page.contains("No registration satisfies"))
        let rows = page.split(separator: "<tr>").filter { $0.contains("registrations?tag=") }
        #expect(rows.count == 3)
        #expect(rows[0].contains(">3</td>") && rows[0].contains("<td>–</td>"))
        #expect(rows[1].contains(">0</td>") && rows[1].contains("Did you mean "))
        #expect(rows[1].contains("<bdi>locale:de</bdi>"))
        #expect(rows[2].contains(">0</td>") && !rows[2].contains("Did you mean"))
        let live = try await world.get("h/news/\(query)&live=1", browser)
        #expect(live["Content-Type"] == "application/json")
    }

    @Test("a mistyped hub names its neighbour, for a session that may see all hubs")
    func hubs() async throws {
        let world = ConsoleWorld()
        let root = try await world.get("h/newz/", try await world.browser())
        #expect(root.status == 404)
        #expect(root.body.contains("Did you mean "))
        #expect(root.body.contains("<a href=\"/$belfry/ui/h/news/\">news</a>"))
        let far = try await world.get("h/entirely/", try await world.browser())
        #expect(far.status == 404 && !far.body.contains("Did you mean"))
        let own = try await world.get(
            "h/othr/",
            try await world.browser(.viewer, hub: ConsoleHub.news)
        )
        #expect(own.status == 404 && !own.body.contains("Did you mean"))
    }

    @Test("a rule is added and removed behind a confirmation, and the others keep their keys")
    func rules() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let before = try world.hub.hub(ConsoleHub.news).rules.map(\.rule)
        let form: KeyValuePairs = ["rule": "Backend", "rights": "send"]
        let early = try await world.post("h/news/access/add", browser, form)
        #expect(early.status == 403)
        #expect(try world.hub.hub(ConsoleHub.news).rules.count == before.count)
        try await world.confirm(browser)
        #expect(try await world.post("h/news/access/add", browser, form).status == 303)
        let added = try world.hub.hub(ConsoleHub.news).rules.map(\.rule)
        #expect(added.map(\.name) == before.map(\.name) + ["Backend"])
        #expect(added.last?.rights == [.send])
        #expect(added.dropLast().map(\.primaryKey) == before.map(\.primaryKey))
        let page = try await world.get("h/news/access", browser).body
        #expect(page.contains("Backend") && !page.contains("key-more"))
        let again = try await world.post(
            "h/news/access/add",
            browser,
            ["rule": "backend", "rights": "send"]
        )
        #expect(again.status == 400 && again.body.contains("is the name of another rule."))
        let odd = try await world.post(
            "h/news/access/add",
            browser,
            ["rule": "x", "rights": "all"]
        )
        #expect(odd.status == 400)
        let gone = try await world.post("h/news/access/remove", browser, ["removed": "Backend"])
        #expect(gone.status == 303)
        #expect(
            try world.hub.hub(ConsoleHub.news).rules.map(\.rule.name) == before.map(\.name)
        )
        let missing = try await world.post("h/news/access/remove", browser, ["removed": "Backend"])
        #expect(missing.status == 400)
        let told = world.audit.filter { $0.operation.hasSuffix("Rule") && $0.result != .begun }
        #expect(
            told.map { "\($0.operation) \($0.result.word)" } == [
                "console.addRule done", "console.addRule refused 400",
                "console.addRule refused 400", "console.removeRule done",
                "console.removeRule refused 400",
            ]
        )
        #expect(told.first?.subject.hasSuffix(" rule=Backend rights=send") == true)
    }

    @Test("a session of one hub sees its rules, and changes none")
    func ofOneHub() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(hub: ConsoleHub.news)
        let page = try await world.get("h/news/access", browser).body
        #expect(page.contains("Access") && !page.contains("Add a rule"))
        try await world.confirm(browser, hub: ConsoleHub.news)
        let form: KeyValuePairs = ["rule": "Backend", "rights": "send"]
        #expect(try await world.post("h/news/access/add", browser, form).status == 403)
    }

    @Test("a test send shows the milliseconds of each step, and within how long half had it")
    func milliseconds() async throws {
        let world = ConsoleWorld()
        let device = DeviceID(high: 7, low: 8)
        let registration = try await world.register()
        var found = try await world.registration(registration)
        found.target = RegistrationTarget(device: device, slot: 0)
        world.hub.answer(GetRegistration.self, found)
        let sent = try await world.send(tags: "World", body: "{}")
        let name = try #require(NotificationName(parsing: Array(sent.utf8)))
        let draft = NotificationDraft(
            format: .template,
            target: .slots([]),
            body: [],
            timeToLive: .seconds(60)
        )
        let record = NotificationRecord(sequence: 1, id: name.id, draft: draft)
        let start = Instant(nanoseconds: 1_000_000_000)
        world.hub.tested { journal in
            journal.begin(record, at: start)
            let at = Instant(nanoseconds: start.nanoseconds + 840_000)
            journal.hear(DeliveryStep(sequence: 1, trace: nil, kind: .sent(device), at: at))
        }
        let browser = try await world.browser(.sender)
        let path = "h/news/tests/\(sent)?r=\(registration)&live=1"
        let before = try await world.get(path, browser).body
        #expect(before.contains("\"\(registration)-sent\":\"0.8 ms\""))
        #expect(before.contains("\"\(registration)-acknowledged\":\"–\""))
        world.hub.tested { journal in
            let kind = DeliveryStep.Kind.acknowledged(device, sent: start)
            let at = start.adding(milliseconds: 12)
            journal.hear(DeliveryStep(sequence: 1, trace: nil, kind: kind, at: at))
        }
        let after = try await world.get(path, browser).body
        #expect(after.contains("\"\(registration)-acknowledged\":\"12.0 ms\""))
        #expect(after.contains("have acknowledged, half of them within 12.0 ms."))
    }

    @Test("a job has a page with its progress and files, and shows no signature")
    func job() async throws {
        let world = ConsoleWorld()
        var random = SystemRandomNumberGenerator()
        let id = JobID.make(now: ConsoleHub.start, random: &random)
        var job = BulkJob(
            id: id,
            request: JobRequest(
                kind: .importCreate,
                output: "https://files.example/out?sig=s3cr3t",
                input: "https://files.example/in?sig=s3cr3t",
                rule: "Full"
            ),
            created: ConsoleHub.start
        )
        job.report = JobReport(status: .running, done: 1_200, failed: 3, permille: 455)
        world.hub.answer(ListJobs.self, [job])
        world.hub.answer(GetJob.self, job)
        let browser = try await world.browser()
        let list = try await world.get("h/news/jobs", browser).body
        #expect(list.contains("/$belfry/ui/h/news/jobs/\(id.text)"))
        let page = try await world.get("h/news/jobs/\(id.text)", browser).body
        #expect(page.contains("45.5 %") && page.contains("1,200") && page.contains("Failed.txt"))
        #expect(page.contains("files.example/out") && !page.contains("s3cr3t"))
        #expect(!list.contains("s3cr3t"))
        let wrong = try await world.get("h/news/jobs/17", browser)
        #expect(wrong.status == 404)
    }
}
