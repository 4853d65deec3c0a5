import HubModel
import HubREST
import HubVocabulary

/// The numbers of a hub now, and problems that need attention.
enum OverviewPage {
    static let rows = [
        PageRow(
            "overview",
            "/$belfry/ui/h/{hub}",
            shows: [
                "describeHubs", "history", "listNotifications", "health", "readSettings",
                "getRelays",
            ],
            run: show
        )
    ]

    private static let latest = 10

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let notifications = try await visit.asking.notifications(before: nil, limit: latest)
        let gauges = await HubPages.gauges(visit.console.service)[visit.named]
        var main = HTMLOutput()
        numbers(gauges, &main)
        let problems = problems(gauges, visit)
        main.section("Needs attention") { section in
            guard !problems.isEmpty else { return section.state(.good, "Nothing.") }
            section.element("ul", ["class": "plain"]) { list in
                for problem in problems {
                    list.element("li") { $0.state(.bad, problem) }
                }
            }
        }
        RelaySection.write(gauges?.relays ?? [], to: &main)
        HubCharts.write(visit, limits: await HubCharts.limits(of: visit), &main)
        main.section("Latest notifications") { section in
            guard !notifications.entries.isEmpty else {
                section.empty("Nothing was sent yet.")
                if visit.may(.sender) {
                    section.element("p") {
                        $0.link(PageAddress.hub(visit.named, "send"), "Send a test")
                    }
                }
                return
            }
            NotificationPages.table(notifications.entries, of: visit, &section)
            section.element("p") {
                $0.link(PageAddress.hub(visit.named, "notifications"), "All notifications")
            }
        }
        return .page("Overview", tab: .overview, main)
    }

    private static func numbers(_ gauges: DirectoryGauges?, _ main: inout HTMLOutput) {
        main.element("dl", ["class": "cards"]) { cards in
            func card(_ name: String, _ key: String, _ value: String?) {
                cards.fact(name) { $0.live(key, value ?? "–") }
            }
            card("Connected", "connected", gauges.map { Spelled.count($0.sessions) })
            card("Devices", "devices", gauges.map { Spelled.count($0.devices) })
            card("Registrations", "registrations", gauges.map { Spelled.count($0.registrations) })
            card("Sent", "sent", gauges.map { Spelled.count($0.logHead) })
            card("Behind, on average", "behind", gauges.map { Spelled.count($0.cursorLagMean) })
            card("Waiting requests", "waiting", gauges.map { Spelled.count($0.waiting) })
            card("Scheduled", "scheduled", gauges.map { Spelled.count($0.schedules) })
            card("Log", "log", gauges.map { Spelled.bytes($0.logBytes) })
        }
    }

    /// One line each, with what to do.
    private static func problems(_ gauges: DirectoryGauges?, _ visit: PageVisit) -> [String] {
        var found = visit.problems
        guard let gauges else {
            return found + ["The hub does not answer: look at its disk and its log."]
        }
        if gauges.undeliverable > 0 {
            let count = Spelled.count(gauges.undeliverable)
            found.append("\(count) registrations have a template that does not compile.")
        }
        for relay in gauges.relays {
            if let cause = relay.cause {
                found.append("The relay to \(relay.platform.format) stands still: \(cause)")
            }
        }
        return found
    }
}
