import HubConsole
import HubHistory
import HubModel
import HubQuestions
import HubREST
import HubRules
import HubVocabulary
import Testing

@Suite("Pages of the past")
struct PastPageTests {
    @Test("numbers are lines with a hole where there was no reading, a sentence and a table")
    func charts() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.viewer)
        let empty = try await world.get("h/news/", browser).body
        #expect(empty.contains("No number was read yet"))
        for reading in [Double(3), 96, 0, 40] {
            world.hub.read([reading, reading * 10])
            world.hub.pass(seconds: 5)
        }
        world.hub.pass(seconds: 60)
        world.hub.read([18, 500])
        let page = try await world.get("h/news/", browser).body
        #expect(page.contains("<b>Connected</b> 18 now, 96 at most"))
        #expect(page.contains("aria-label=\"Connected: 18 now, 96 at most\""))
        #expect(page.contains("<b>Waiting requests</b> no reading yet"))
        let chart = try #require(page.split(separator: "<figure>").dropFirst().first)
        // The readings before the hole, and the one behind it.
        #expect(chart.split(separator: "<polyline ").count == 3)
        #expect(chart.contains("<th scope=\"col\">From</th>"))
        #expect(chart.contains("h/news/events?since=2026-05-04T09"), "\(chart)")
        #expect(chart.contains("&amp;until=2026-05-04T09"), "\(chart)")
        #expect(chart.contains("<td class=\"number\">96</td>"))
        #expect(page.utf8.count <= 61_440)
        // 930 more in five seconds; a number that fell did not grow.
        #expect(page.contains("<b>Sends a second</b> unknown now, 186.0 at most"))
        let day = try await world.get("h/news/?past=day", browser).body
        #expect(day.contains("The last day</h2>") && day.contains("/$belfry/ui/h/news/\""))
        #expect(day.contains("<b>Connected</b> 18 now, 40 at most"))
    }

    @Test("a limit is told, and drawn when the number comes near it")
    func limits() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.viewer)
        // The hub's log is warned of at 100 MB, its registrations have no setting.
        world.hub.answer(
            GetSettings.self,
            HubSettings(
                timeToLiveDefaultSeconds: 1,
                retentionSeconds: 1,
                deviceCap: 1,
                purgedThrough: 0,
                logBytesWarned: 100_000_000
            )
        )
        for (bytes, isDrawn) in [(24_000_000.0, false), (25_000_000, true), (120_000_000, true)] {
            world.hub.read([0, 0, bytes, 3])
            let page = try await world.get("h/news/", browser).body
            let charts = page.split(separator: "<figure>").dropFirst()
            let log = try #require(charts.first { $0.contains("<b>Log</b>") })
            #expect(log.contains("at most of 100.0 MB"))
            #expect(log.contains("<line ") == isDrawn, "\(bytes)")
            let registrations = try #require(charts.first { $0.contains("<b>Registrations</b>") })
            #expect(!registrations.contains("<line ") && registrations.contains("3 at most<"))
            world.hub.pass(seconds: 5)
        }
    }

    @Test("an hour and a day of readings fit into a page")
    func size() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.viewer)
        for number in 0..<720 {
            world.hub.read([Double(number % 7) * 1_000_000, Double(number) * 1_000])
            world.hub.pass(seconds: 5)
        }
        for past in ["", "?past=day"] {
            let page = try await world.get("h/news/\(past)", browser).body
            #expect(page.utf8.count <= 61_440, "\(page.utf8.count)")
        }
    }

    @Test("the newest events come first, with words for each kind, and more come live")
    func events() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.viewer)
        #expect(
            try await world.get("h/news/events", browser).body
                .contains("Nothing has happened since the server began.")
        )
        let id = NotificationID(high: 1, low: 2)
        world.hub.happened(.accepted(id, .template, .tags(Array("World && <b>".utf8))))
        world.hub.happened(
            .refused(operation: "sendBatch", status: 403, code: 40_301, tracking: "t-1")
        )
        world.hub.happened(.changed(operation: "purge", rule: "Root", tracking: "t-2"))
        world.hub.happened(.told("limit_reached"))
        world.hub.happened(.notice("the certificate ends in 7 days"))
        let page = try await world.get("h/news/events", browser).body
        let texts = [
            "the certificate ends in 7 days", "limit reached", "purge by Root, tracking t-2",
            "sendBatch 403 40301, tracking t-1", "template to World &amp;&amp; &lt;b&gt;",
        ]
        let places = texts.map { page.firstRange(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(page.contains("/$belfry/ui/h/news/notifications/\(id.text)"))
        #expect(page.contains("<template id=\"tail\">") && page.contains("data-tail=\"rows\""))
        let live = try await world.get("h/news/events?live=1", browser).body
        #expect(live.contains(#""tail-4-what":"limit reached""#))
        #expect(live.contains(#""last":"5""#))
    }

    @Test("a page that follows events gets all behind its last one, and hears what is gone")
    func following() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.viewer)
        for number in 1...4_100 { world.hub.happened(.notice("notice \(number).")) }
        func live(_ after: Int) async throws -> String {
            try await world.get("h/news/events?live=1&after=\(after)", browser).body
        }
        let all = try await live(4_000)
        #expect(all.contains("notice 4001.") && all.contains("notice 4100."))
        #expect(!all.contains("notice 4000.") && all.contains(#""last":"4100""#))
        #expect(!all.contains("missed"), "what was told before stays")
        // The ring has 4,096.
        let late = try await live(1)
        #expect(late.contains(#""missed":"3 events came too fast"#), "\(late.prefix(200))")
        #expect(late.contains("notice 5.") && late.contains(#""last":"1004""#))
        #expect(try await live(4_100).contains(#""last":"4100""#))
    }

    @Test("a download has the events of its kind, and a plain name")
    func download() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.viewer)
        world.hub.happened(.told("queue_full"))
        for number in 1...2_500 { world.hub.happened(.notice("\"<b>\(number)\n")) }
        let all = try await world.get("h/news/events/download", browser)
        #expect(all["Content-Disposition"] == "attachment; filename=\"events-news.ndjson\"")
        #expect(all["Content-Type"] == "application/x-ndjson")
        let lines = all.body.split(separator: "\n")
        #expect(lines.count == 2_501 && lines[0].contains(#""kind":"told""#))
        #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
        #expect(lines[2_500].contains(#""number":2501"#))
        let told = try await world.get("h/news/events/download?kind=told", browser)
        #expect(told.body.split(separator: "\n") == [lines[0]])
        #expect(try await world.get("h/news/events/download?kind=tol", browser).status == 400)
    }

    @Test("events can be chosen by kind, and a mistyped kind names its neighbour")
    func kinds() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.viewer)
        world.hub.happened(.told("queue_full"))
        for number in 0..<150 { world.hub.happened(.notice("notice \(number).")) }
        let all = try await world.get("h/news/events", browser).body
        #expect(all.contains("notice 149.") && all.contains("notice 50."))
        #expect(!all.contains("notice 49.") && !all.contains("queue full"))
        let told = try await world.get("h/news/events?kind=told", browser).body
        #expect(told.contains("queue full") && !told.contains("notice 149."))
        let wrong = try await world.get("h/news/events?kind=notise", browser)
        #expect(wrong.status == 400 && wrong.body.contains("Did you mean &#39;notice&#39;?"))
    }

    @Test("events can be chosen by time, and lead to the notifications of that time")
    func times() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.viewer)
        world.hub.happened(.notice("early."))
        world.hub.pass(seconds: 60)
        world.hub.happened(.notice("late."))
        let between = "2026-05-04T09:13:00Z"
        let late = try await world.get("h/news/events?since=\(between)", browser).body
        #expect(late.contains("late.") && !late.contains("early."))
        #expect(late.contains("h/news/notifications?since=2026-05-04T09%3A13%3A00Z\""), "\(late)")
        let early = try await world.get("h/news/events?until=\(between)", browser).body
        #expect(!early.contains("late.") && early.contains("early."))
        let file = try await world.get("h/news/events/download?until=\(between)", browser).body
        #expect(file.split(separator: "\n").count == 1 && file.contains("early."))
        let none = try await world.get("h/news/events?since=2027-01-01T00:00:00Z", browser).body
        #expect(none.contains("is of this kind and time"))
        #expect(try await world.get("h/news/events?since=soon", browser).status == 400)
    }

    @Test("keys show the hour of their last use, and that devices use them")
    func lastUse() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let unused = try await world.get("h/news/access", browser).body
        #expect(unused.contains("no use is known") && !unused.contains("by devices"))
        let rules = try world.hub.hub(ConsoleHub.news).rules
        let rule = try #require(rules.first).rule
        rule.primaryUse.mark(.request, at: world.hub.now)
        rule.secondaryUse.mark(.device, at: world.hub.now)
        let used = try await world.get("h/news/access", browser).body
        #expect(used.contains("<td>within the hour</td>"))
        #expect(used.contains("<td>within the hour, also by devices</td>"))
        world.hub.pass(seconds: 3 * 3_600)
        let later = try await world.get("h/news/access", try await world.browser()).body
        #expect(later.contains("<td>3 h ago</td>"))
    }
}
