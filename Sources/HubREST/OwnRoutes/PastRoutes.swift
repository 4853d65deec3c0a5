import HubHistory
import HubVocabulary

/// The recent past: events of a hub and numbers over time; our own.
enum PastRoutes {
    static let rows = [
        RouteRow(
            "listEvents",
            "GET",
            "/{hub}/$belfry/events",
            "Lists the events of a hub behind a number, and waits for the next one",
            needs: .manage,
            inputs: [
                .query(
                    "after",
                    "`last` of the page before; without it and a time the answer has no event.",
                    .number(0...Int(Int32.max))
                ),
                .query(
                    "wait",
                    "Seconds that an answer without events may wait.",
                    .number(0...HistoryLimits.waitSeconds)
                ),
                .query("kinds", "Kinds of events, with commas between them."),
                .query("since", "Only those that happened then or later."),
                .query("until", "Only those that happened before; such an answer does not wait."),
            ],
            answers: [
                AnswerNote(
                    200,
                    "Events, ascending, without payloads and handles",
                    ContentType.json,
                    schema: "EventPage"
                )
            ],
            refusals: [400],
            run: events
        ),
        RouteRow(
            "history",
            "GET",
            "/$belfry/history",
            "Lists numbers of the server, or of a hub, over an hour or a day",
            ofNamespace: .manage,
            inputs: [
                .query("hub", "The hub; without it the server's own numbers."),
                .query("series", "Names of numbers, with commas between them; without it all."),
                .query("step", "Seconds between two values: 5 for an hour, 60 for a day."),
                .query("since", "The time from which on values are wanted."),
            ],
            answers: [
                AnswerNote(
                    200,
                    "The values; null where there was no reading",
                    ContentType.json,
                    schema: "History"
                )
            ],
            refusals: [400],
            run: history
        ),
    ]

    private struct EventPage: Encodable {
        var events: [EventReport]
        var last: UInt64
        var lost: UInt64
    }

    private struct History: Encodable {
        /// When the first value was read.
        var first: String
        var series: [String: [Double?]]
        var stepSeconds: Int
    }

    private static func events(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        let after = try target.number("after", atLeast: 0).map(UInt64.init)
        let wait = try target.number("wait", in: 0...HistoryLimits.waitSeconds) ?? 0
        let names = words(target, "kinds")
        if let unknown = names.first(where: { !HubEvent.Kind.names.contains($0) }) {
            let known = HubEvent.Kind.names.joined(separator: ", ")
            let reason = "'\(unknown.prefix(64))' is no kind of event: \(known)."
            throw .refused(.invalid(field: "kinds", reason: reason))
        }
        let span = try refusing { () throws(Refusal) in try TimeSpan { target.value($0) } }
        let page = await exchange.service.events(
            of: exchange.hub,
            after: after ?? (span.isOpen ? nil : 0),
            matching: EventFilter(kinds: names.isEmpty ? nil : Set(names), span: span),
            wait: span.until == nil ? .seconds(wait) : .zero
        )
        return Answer(
            json: EventPage(
                events: page.events.map(EventReport.init),
                last: page.last,
                lost: page.lost
            )
        )
    }

    private static func history(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        let (target, service) = (exchange.incoming.target, exchange.service)
        let step = HistoryRing.Step.allCases.first {
            $0.seconds == Int(text(target, "step") ?? "\(HistoryRing.Step.fine.seconds)")
        }
        guard let step else {
            throw .refused(.invalid(field: "step", reason: "must be 5 or 60."))
        }
        var hub: HubName?
        if let name = text(target, "hub") {
            hub = HubName(name)
            guard let hub else { throw .refused(.hubNotFound(name: String(name.prefix(64)))) }
            _ = try refusing { () throws(Refusal) in try service.hub(hub) }
        }
        var since: Timestamp?
        if let text = target.value("since"), !text.isEmpty {
            guard case .time(let time) = TimeText.parse(text.span) else {
                throw .refused(.invalid(field: "since", reason: "is no time."))
            }
            since = time
        }
        let names = words(target, "series")
        let page = service.history(of: hub, step, series: names.isEmpty ? nil : names, since: since)
        return Answer(
            json: History(
                first: TimeText.iso8601(page.first),
                series: page.series,
                stepSeconds: page.stepSeconds
            )
        )
    }

    private static func text(_ target: RequestTarget, _ name: String) -> String? {
        target.value(name).flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    }

    private static func words(_ target: RequestTarget, _ name: String) -> [String] {
        text(target, name)?.split(separator: ",").map(String.init) ?? []
    }
}
