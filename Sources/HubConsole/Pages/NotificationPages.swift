import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubTags
import HubVocabulary

/// The notifications of a hub: the list, one of them, its payload.
enum NotificationPages {
    static let rows = [
        PageRow(
            "notifications",
            "/$belfry/ui/h/{hub}/notifications",
            shows: ["listNotifications"],
            run: list
        ),
        PageRow(
            "notification",
            "/$belfry/ui/h/{hub}/notifications/{id}",
            shows: ["getNotificationCounters", "explain"],
            run: show
        ),
        PageRow(
            post: "payload",
            "/$belfry/ui/h/{hub}/notifications/{id}/payload",
            for: .manager,
            shows: ["getNotification"],
            audit: "console.showPayload",
            run: payload
        ),
    ]

    // MARK: The list

    private static func list(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let before = UInt64(visit.query("before"))
        let limit = visit.console.limits.rowsPerPage
        let filter = try filter(visit)
        let found = try await visit.asking.notifications(filter, before: before, limit: limit)
        var main = HTMLOutput()
        filterForm(visit, &main)
        if found.entries.isEmpty {
            let nothing =
                filter.isEmpty
                ? before == nil ? "Nothing was sent yet." : "Nothing older is kept."
                : found.next == nil ? "No notification fits." : "None of the newest fits."
            main.empty(nothing)
        } else {
            table(found.entries, of: visit, &main)
        }
        let next = found.next.map {
            PageAddress.hub(
                visit.named,
                "notifications",
                query: [
                    "since": visit.query("since"), "until": visit.query("until"),
                    "tag": visit.query("tag"), "format": visit.query("format"),
                    "outcome": visit.query("outcome"), "before": String($0),
                ]
            )
        }
        main.next(next, rest: "Older ones")
        return .page("Notifications", tab: .notifications, main)
    }

    private static func filter(
        _ visit: PageVisit
    ) throws(RequestFailure) -> NotificationFilter {
        do throws(Refusal) {
            return try NotificationFilter { Array(visit.query($0).utf8) }
        } catch {
            throw .refused(error)
        }
    }

    private static func filterForm(_ visit: PageVisit, _ main: inout HTMLOutput) {
        main.search(PageAddress.hub(visit.named, "notifications")) { form in
            form.field("Accepted from (UTC)", "since", value: visit.query("since"))
            form.field("Until", "until", value: visit.query("until"))
            form.field("Names the tag", "tag", value: visit.query("tag"))
            let unset = [(value: "", label: "any")]
            let formats = ["template"] + Platform.allCases.map(\.format)
            form.choice(
                "Format",
                "format",
                unset + formats.map { ($0, $0) },
                chosen: visit.query("format")
            )
            let outcomes = NotificationFilter.Outcome.allCases.map(\.rawValue)
            form.choice(
                "Outcome",
                "outcome",
                unset + outcomes.map { ($0, $0) },
                chosen: visit.query("outcome")
            )
            form.button("Show")
        }
    }

    /// Notifications as a table, the newest first.
    static func table(
        _ entries: [ListNotifications.Entry],
        of visit: PageVisit,
        _ output: inout HTMLOutput
    ) {
        output.table(
            "Notifications, the newest first",
            ["Accepted", "To", "Format", "Matched", "Sent", "Acknowledged", "Dropped"],
            numbers: 4
        ) { table in
            for entry in entries {
                let record = entry.record
                let name = NotificationAddress.text(record.id, record.sequence)
                table.row { row in
                    row.cell { cell in
                        let address = PageAddress.hub(visit.named, "notifications", name)
                        cell.element("a", ["href": address]) { $0.time(record.id.time) }
                    }
                    row.cell { target(record.draft.target, &$0) }
                    row.cell(Spelled.format(record.draft.format))
                    let dropped: [TelemetryKind] = [
                        .expired, .oversized, .missed, .collapsed, .capped, .purged,
                    ]
                    for (key, kinds) in [
                        ("matched", [TelemetryKind.matched]), ("sent", [.sent]),
                        ("acknowledged", [.acknowledged]), ("dropped", dropped),
                    ] {
                        row.element("td", ["class": "number"]) {
                            $0.live(
                                "\(record.sequence)-\(key)",
                                Spelled.count(sum(kinds, of: entry.counts))
                            )
                        }
                    }
                }
            }
        }
    }

    private static func sum(_ kinds: [TelemetryKind], of counts: CounterTable) -> UInt64 {
        kinds.reduce(0) { sum, kind in
            Platform.allCases.reduce(sum) { $0 + counts[$1, kind] }
        }
    }

    /// Whom a notification was meant for.
    static func target(_ target: NotificationTarget, _ output: inout HTMLOutput) {
        switch target {
        case .broadcast: output.text("everyone")
        case .tags(let expression): output.stranger(expression.source)
        case .handles(let handles): output.text("\(Spelled.count(handles.count)) handles")
        case .slots(let slots): output.text("a test of \(Spelled.count(slots.count))")
        }
    }

    // MARK: One

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let details = try await details(visit)
        var main = HTMLOutput()
        let record = details.record
        main.facts { facts in
            facts.fact("State") { $0.live("state", details.state.rawValue) }
            facts.fact("Accepted") { $0.time(record.id.time) }
            facts.fact("To") { target(record.draft.target, &$0) }
            facts.fact("Format", Spelled.format(record.draft.format))
            facts.fact("Expires") { $0.time(record.expires) }
            facts.fact("Size", Spelled.bytes(record.draft.body.count))
            facts.fact("Priority", "\(record.draft.priority)")
            facts.fact("Collapse key") {
                record.draft.collapseKey.isEmpty
                    ? $0.text("–") : $0.stranger(record.draft.collapseKey)
            }
            facts.fact("Place in the log", Spelled.count(record.sequence))
            facts.fact("Id", NotificationAddress.text(record.id, record.sequence))
        }
        counters(details.platforms, &main)
        if let curve = details.curve { ReceiptFigure(curve: curve).write(to: &main) }
        if !details.platforms.isEmpty {
            main.element("p") {
                let id = NotificationAddress.text(record.id, record.sequence)
                let address = PageAddress.hub(visit.named, "notifications", id, "failures")
                $0.link(address, "Registrations that did not get it")
            }
        }
        ask(visit, &main)
        if visit.may(.manager) {
            main.section("Payload") { section in
                section.element("p", text: "It is shown once asked for, and the audit says so.")
                let action = PageAddress.hub(
                    visit.named,
                    "notifications",
                    String(decoding: visit.part("id"), as: UTF8.self),
                    "payload"
                )
                Form(action: action, token: visit.formToken).write(to: &section) {
                    $0.button("Show the payload")
                }
            }
        }
        return .page("Notification", tab: .notifications, main)
    }

    private static func details(
        _ visit: PageVisit
    ) async throws(RequestFailure) -> NotificationDetails {
        let name = try visit.notification(visit.part("id"), field: "id")
        return try await visit.asking.submit(GetDetails(name))
    }

    private static func counters(_ platforms: [PlatformDetails], _ main: inout HTMLOutput) {
        guard !platforms.isEmpty else {
            return main.empty("No registration has matched it so far.")
        }
        let columns =
            ["Platform", "Connected", "Away"] + shown.map(\.name) + ["Dropped", "Refused"]
        main.table("Counted so far, by platform", columns, numbers: columns.count - 1) { table in
            for found in platforms {
                let word = found.platform.format
                table.row { row in
                    row.cell(word)
                    func count(_ key: String, _ number: UInt64) {
                        row.element("td", ["class": "number"]) {
                            $0.live("\(word)-\(key)", Spelled.count(number))
                        }
                    }
                    count("connected", found[.matched])
                    count("away", found.matchedOffline)
                    for kind in shown { count(kind.name, found[kind.kind]) }
                    count("dropped", found.dropped + found[.oversized] + found.relayDropped)
                    count("refused", found.relayRefused)
                }
            }
        }
    }

    private static let shown: [(name: String, kind: TelemetryKind)] = [
        ("Sent", .sent), ("Acknowledged", .acknowledged), ("Displayed", .displayed),
        ("Opened", .opened),
    ]

    private static func ask(_ visit: PageVisit, _ main: inout HTMLOutput) {
        main.section("Why did a device get it, or not?") { section in
            let action = PageAddress.hub(visit.named, "explain")
            section.search(action) {
                $0.void(
                    "input",
                    [
                        "type": "hidden", "name": "notification",
                        "value": String(decoding: visit.part("id"), as: UTF8.self),
                    ]
                )
                $0.field(
                    "Device, handle, registration or installation",
                    "subject",
                    hint: "Its id, as the lists show it."
                )
                $0.button("Explain")
            }
        }
    }

    private static func payload(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let details = try await details(visit)
        var main = HTMLOutput()
        main.element("pre") { $0.stranger(details.record.draft.body) }
        main.element("p") {
            $0.link(
                PageAddress.hub(
                    visit.named,
                    "notifications",
                    String(decoding: visit.part("id"), as: UTF8.self)
                ),
                "The notification"
            )
        }
        return .page("Payload", tab: .notifications, main)
    }
}
