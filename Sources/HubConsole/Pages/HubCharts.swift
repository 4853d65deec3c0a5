import HubHistory
import HubModel
import HubQuestions
import HubREST
import HubVocabulary

/// The past of a hub's numbers, for an hour or a day.
enum HubCharts {
    /// The values that numbers must not pass, by their series.
    static func limits(of visit: PageVisit) async -> [String: Double] {
        var limits: [String: Double] = [:]
        let settings = visit.console.service.description.settings
        let registrations = settings.first { $0.name == "registrations.max" }
        limits["registrations"] = registrations.flatMap { Double($0.value) }
        // A hub that does not answer has its charts without it.
        if let own = try? await visit.asking.submit(GetSettings()), own.logBytesWarned > 0 {
            limits["logBytes"] = Double(own.logBytesWarned)
        }
        return limits
    }

    /// Writes them as a section.
    static func write(
        _ visit: PageVisit,
        limits: [String: Double],
        _ main: inout HTMLOutput
    ) {
        let isDay = visit.query("past") == "day"
        let page = visit.console.service.history(
            of: visit.named,
            isDay ? .coarse : .fine,
            series: nil,
            since: nil
        )
        main.section(isDay ? "The last day" : "The last hour") { section in
            guard page.series.values.contains(where: { !$0.isEmpty }) else {
                return section.empty("No number was read yet: the first comes within 5 seconds.")
            }
            section.element("div", ["class": "charts"]) { charts in
                for chart in all(page, of: visit.named, limits) { chart.write(to: &charts) }
            }
            section.element("p") {
                let query: KeyValuePairs = ["past": isDay ? "" : "day"]
                $0.link(
                    PageAddress.hub(visit.named, query: query),
                    isDay ? "The last hour" : "The last day"
                )
            }
        }
    }

    private static func all(
        _ page: HistoryRing.Page,
        of hub: HubName,
        _ limits: [String: Double]
    ) -> [Chart] {
        func chart(
            _ title: String,
            _ name: String,
            _ change: ([Double?]) -> [Double?] = { $0 },
            _ spell: @escaping @Sendable (Double) -> String = { Spelled.count(Int($0)) }
        ) -> Chart {
            Chart(
                title: title,
                values: change(page.series[name] ?? []),
                first: page.first,
                stepSeconds: page.stepSeconds,
                limit: limits[name],
                spell: spell
            ) { from, until in
                let query: KeyValuePairs = [
                    "since": TimeText.iso8601(from), "until": TimeText.iso8601(until),
                ]
                return PageAddress.hub(hub, "events", query: query)
            }
        }
        let seconds = Double(page.stepSeconds)
        return [
            chart("Connected", "connected"),
            chart("Sends a second", "logHead", { rate($0, seconds) }, tenths),
            chart("Waiting requests", "waiting"),
            chart("Behind, on average", "behindMean"),
            chart("Registrations", "registrations"),
            chart("Log", "logBytes", { $0 }, { Spelled.bytes(Int($0)) }),
        ]
    }

    /// How fast a number grows; one that went down did not grow.
    private static func rate(_ values: [Double?], _ seconds: Double) -> [Double?] {
        zip(values.dropFirst(), values).map { later, earlier in
            guard let later, let earlier else { return nil }
            return max(0, later - earlier) / seconds
        }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(Spelled.count(tenths / 10)).\(tenths % 10)"
    }
}
