import HubModel
import HubREST
import HubVocabulary

/// The server: its health, its audit, its settings and sessions.
enum ServerPages {
    static let rows = [
        PageRow(
            "health",
            "/$belfry/ui/health",
            shows: ["health", "describeHubs", "listKeys", "describeCluster"],
            run: health
        ),
        PageRow(
            "audit",
            "/$belfry/ui/audit",
            for: .manager,
            reach: .server,
            shows: ["audit"],
            run: audit
        ),
        PageRow(
            "server",
            "/$belfry/ui/server",
            for: .manager,
            reach: .server,
            shows: ["describeServer"],
            run: server
        ),
    ]

    private static func health(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let (service, problems) = (visit.console.service, visit.problems)
        var main = HTMLOutput()
        main.section("Sends") { section in
            guard !problems.isEmpty else {
                let all = visit.session.reachesServer ? "The server" : "The hub"
                return section.element("p") { $0.state(.good, "\(all) accepts sends.") }
            }
            section.element("ul", ["class": "plain"]) { list in
                for problem in problems {
                    list.element("li") { $0.state(.bad, ShownText.spelled(problem)) }
                }
            }
            section.element(
                "p",
                text: "Look at the disk and at the server's log; the runbook has each of them."
            )
        }
        main.section("Certificate") { section in
            section.element("p") { certificate(service.description.certificateEnd, visit, &$0) }
        }
        // Nodes concern those who reach the server.
        let nodes = visit.session.reachesServer ? await service.cluster() : nil
        if let nodes { ClusterSection.write(nodes, to: &main) }
        try await HealthFindings.write(visit, nodes, &main)
        return .page("Health", tab: nil, main)
    }

    /// From so many days before its end on, a certificate needs attention.
    private static let warnedDays: UInt64 = 30

    private static func certificate(
        _ end: Timestamp?,
        _ visit: PageVisit,
        _ output: inout HTMLOutput
    ) {
        guard let end else { return output.text("Its end is not known.") }
        let left = end.milliseconds - min(end.milliseconds, visit.now.milliseconds)
        let days = left / 86_400_000
        let state: ShownState = days == 0 ? .bad : days < warnedDays ? .waiting : .good
        output.state(state, "It ends in \(Spelled.count(days)) days, at ")
        output.time(end)
        guard days < warnedDays else { return }
        output.text(". Renew it, then run 'belfry reload'; restart where systemd has a copy.")
    }

    private static func audit(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let before = UInt64(visit.query("before"))
        let limit = visit.console.limits.rowsPerPage
        let span = try visit.refusing { () throws(Refusal) in
            try TimeSpan { Array(visit.query($0).utf8) }
        }
        let service = visit.console.service
        guard let found = await service.audit(before: before, limit: limit, within: span) else {
            throw .refused(.storeUnavailable(retryAfterSeconds: 5))
        }
        var main = HTMLOutput()
        main.search(PageAddress.server("audit")) { form in
            form.field("From (UTC)", "since", value: visit.query("since"))
            form.field("Until", "until", value: visit.query("until"))
            form.button("Show")
        }
        if found.entries.isEmpty {
            main.empty(
                span.isOpen
                    ? "Nothing was changed yet."
                    : found.next == nil ? "No change of this time." : "None of the newest changes."
            )
        } else {
            changes(found.entries, &main)
        }
        let next = found.next.map {
            PageAddress.server(
                "audit",
                query: [
                    "since": visit.query("since"), "until": visit.query("until"),
                    "before": String($0),
                ]
            )
        }
        main.next(next, rest: "Older ones")
        return .page("Audit", tab: nil, main)
    }

    private static func changes(_ entries: [AuditEntry], _ output: inout HTMLOutput) {
        output.table("Audit, the newest first", ["Time", "What", "On", "Result", "Who", "Rule"]) {
            table in
            for entry in entries {
                table.row { row in
                    row.cell { cell in
                        let shown =
                            "\(entry.time.prefix(10)) \(entry.time.dropFirst(11).prefix(8))"
                        cell.element("time", ["datetime": entry.time], text: shown)
                    }
                    row.cell(entry.operation)
                    row.cell { $0.stranger(entry.subject) }
                    row.cell(entry.result ?? "–")
                    row.cell { $0.stranger(entry.by ?? "–") }
                    row.cell { $0.stranger(entry.rule) }
                }
            }
        }
    }

    private static func server(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let server = visit.console.service.description
        var main = HTMLOutput()
        main.facts { facts in
            facts.fact("Version", server.version)
            facts.fact("Started") { $0.time(server.started) }
            facts.fact("Certificate") { certificate(server.certificateEnd, visit, &$0) }
        }
        main.element("p") {
            $0.link(PageAddress.server("access"), "Keys of the namespace")
        }
        main.section("Settings") { section in
            section.table("Settings", ["Setting", "Value", "From"]) { table in
                for setting in server.settings {
                    table.row { row in
                        row.cell(setting.name)
                        row.cell { $0.stranger(setting.value) }
                        row.cell(setting.origin.rawValue)
                    }
                }
            }
        }
        main.section("Sessions of the console") { section in
            section.table("Sessions", ["Who", "Role", "Hub", "Rule", "Began", "Ends"]) { table in
                for session in visit.console.signIns.sessions {
                    table.row { row in
                        row.cell { $0.stranger(session.name) }
                        row.cell(session.role.rawValue)
                        row.cell(session.hub ?? "all")
                        row.cell { $0.stranger(session.rule) }
                        row.cell { $0.time(Timestamp(milliseconds: session.began)) }
                        row.cell { $0.time(Timestamp(milliseconds: session.ends)) }
                    }
                }
            }
        }
        return .page("Server", tab: nil, main)
    }
}
