import FoundationEssentials
import HubHistory
import HubREST
import HubVocabulary

/// The tail of a hub's events: the newest first, and new ones as they come.
enum EventPages {
    static let rows = [
        PageRow("events", "/$belfry/ui/h/{hub}/events", shows: ["listEvents"], run: show),
        PageRow(
            "eventFile",
            "/$belfry/ui/h/{hub}/events/download",
            shows: ["listEvents"],
            run: download
        ),
    ]

    /// The events that were asked for, by kind and time.
    private static func chosen(_ visit: PageVisit) throws(RequestFailure) -> EventFilter {
        let kind = visit.query("kind")
        let names = HubEvent.Kind.names
        guard kind.isEmpty || names.contains(kind) else {
            let nearest = NearestWord.of(kind, among: names).map { " Did you mean '\($0)'?" } ?? ""
            throw .refused(
                .invalid(field: "kind", reason: "is no kind of event.\(nearest)")
            )
        }
        let span = try visit.refusing { () throws(Refusal) in
            try TimeSpan { Array(visit.query($0).utf8) }
        }
        return EventFilter(kinds: kind.isEmpty ? nil : [kind], span: span)
    }

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let chosen = try chosen(visit)
        let found: EventRing.Page
        if let after = UInt64(visit.query("after")) {
            found = await visit.console.service.events(
                of: visit.named,
                after: after,
                matching: chosen,
                wait: .zero
            )
        } else {
            found = await newest(visit, chosen)
        }
        var main = HTMLOutput()
        main.search(PageAddress.hub(visit.named, "events")) { form in
            let kinds = [(value: "", label: "all kinds")] + HubEvent.Kind.names.map { ($0, $0) }
            form.choice("Kind", "kind", kinds, chosen: visit.query("kind"))
            form.field("From (UTC)", "since", value: visit.query("since"))
            form.field("Until", "until", value: visit.query("until"))
            form.button("Show")
        }
        if found.events.isEmpty {
            main.empty(
                found.last == 0
                    ? "Nothing has happened since the server began."
                    : "None of the newest \(Spelled.count(HistoryLimits.events)) events is of "
                        + "this kind and time."
            )
        }
        following(found, visit, &main)
        main.table("Events, the newest first", ["Time", "Kind", "What"], isTail: true) { tail in
            for event in found.events.reversed() { row(event, visit, &tail) }
        }
        main.element("p") {
            let query: KeyValuePairs = [
                "kind": visit.query("kind"), "since": visit.query("since"),
                "until": visit.query("until"),
            ]
            let address = PageAddress.hub(visit.named, "events", "download", query: query)
            $0.link(address, "Download all that are kept")
        }
        if !chosen.span.isOpen { main.element("p") { sameTime(visit, &$0) } }
        // The script fills copies of it.
        main.element("template", ["id": "tail"]) {
            $0.row { row in
                for part in ["time", "kind", "what"] {
                    row.cell { $0.element("span", ["data-part": part], text: "") }
                }
            }
        }
        return .page("Events", tab: .events, main)
    }

    /// Links to what else happened in the time that was asked for.
    private static func sameTime(_ visit: PageVisit, _ output: inout HTMLOutput) {
        let query: KeyValuePairs = [
            "since": visit.query("since"), "until": visit.query("until"),
        ]
        let notifications = PageAddress.hub(visit.named, "notifications", query: query)
        output.link(notifications, "Notifications of this time")
        guard visit.may(.manager), visit.session.reachesServer else { return }
        output.text(" ")
        output.link(PageAddress.server("audit", query: query), "Changes of this time")
    }

    /// All events that are kept, each as the row of the REST API tells it, one on each line.
    private static func download(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let (chosen, service) = (try chosen(visit), visit.console.service)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var lines: [UInt8] = []
        var last: UInt64 = 0
        while true {
            let page = await service.events(
                of: visit.named,
                after: last,
                matching: chosen,
                wait: .zero
            )
            for event in page.events {
                // Texts and whole numbers can always be written.
                lines += (try? encoder.encode(EventReport(event))).map(Array.init) ?? []
                lines.append(UInt8(ascii: "\n"))
            }
            guard page.last > last else { break }
            last = page.last
        }
        let name = "events-\(visit.named).ndjson"
        return .file(name: name, type: "application/x-ndjson", lines)
    }

    /// Where the script goes on, and how many events it has missed since it asked last.
    private static func following(
        _ found: EventRing.Page,
        _ visit: PageVisit,
        _ main: inout HTMLOutput
    ) {
        main.element("p", ["hidden": "hidden"]) { $0.live("last", String(found.last)) }
        let hasAsked = !visit.query("after").isEmpty
        // What was missed stays told until more is.
        guard !hasAsked || found.lost > 0 else { return }
        main.element("p", ["class": "hint"]) { hint in
            let count = Spelled.count(found.lost)
            hint.live("missed", hasAsked ? "\(count) events came too fast and are not shown." : "")
        }
    }

    /// The newest events, ascending.
    private static func newest(_ visit: PageVisit, _ filter: EventFilter) async -> EventRing.Page {
        let service = visit.console.service
        let limit = visit.console.limits.rowsPerPage
        let hub = visit.named
        let now = await service.events(of: hub, after: nil, matching: EventFilter(), wait: .zero)
            .last
        // Without a choice the newest page is enough.
        let reach = UInt64(filter.isOpen ? limit : HistoryLimits.events)
        var (events, last) = ([HubEvent](), now - min(now, reach))
        while last < now {
            let page = await service.events(of: hub, after: last, matching: filter, wait: .zero)
            events = (events + page.events).suffix(limit)
            guard page.last > last else { break }
            last = page.last
        }
        return EventRing.Page(events: events, lost: 0, last: now)
    }

    private static func row(_ event: HubEvent, _ visit: PageVisit, _ tail: inout HTMLOutput) {
        tail.row { row in
            let time = TimeText.iso8601(event.time)
            row.cell {
                $0.live("tail-\(event.number)-time", String(time.dropFirst(11).prefix(12)))
            }
            row.cell { $0.live("tail-\(event.number)-kind", event.kind.name) }
            row.cell { cell in
                cell.live("tail-\(event.number)-what", ShownText.spelled(sentence(event.kind)))
                if case .accepted(let id, _, _) = event.kind {
                    cell.text(" ")
                    cell.link(PageAddress.hub(visit.named, "notifications", id.text), "show")
                }
            }
        }
    }

    private static func sentence(_ kind: HubEvent.Kind) -> String {
        switch kind {
        case .accepted(_, let format, let receivers):
            let whom =
                switch receivers {
                case .everyone: "everyone"
                case .handles: "some handles"
                case .registrations: "a test's registrations"
                case .tags(let expression): String(decoding: expression, as: UTF8.self)
                }
            return "\(Spelled.format(format)) to \(whom)"
        case .refused(let operation, let status, let code, let tracking):
            return "\(operation) \(status)\(code == 0 ? "" : " \(code)"), tracking \(tracking)"
        case .changed(let operation, let rule, let tracking):
            return "\(operation) by \(rule), tracking \(tracking)"
        case .told(let label): return label.replacing("_", with: " ")
        case .notice(let text): return text
        case .connected(let device), .ended(let device): return Spelled.device(device)
        case .leftOut(let count): return "\(Spelled.count(count)) devices came and went"
        }
    }
}
