import HubModel
import HubREST
import HubRules
import HubVocabulary

/// The hubs of the server; an operator of one hub goes straight on to it.
enum HubPages {
    static let rows = [
        PageRow("hubs", "/$belfry/ui", shows: ["describeHubs"], run: list),
        PageRow(
            post: "makeHub",
            "/$belfry/ui/hubs",
            for: .manager,
            reach: .server,
            shows: ["putHub"],
            audit: "console.makeHub",
            naming: ["name"],
            run: make
        ),
    ]

    private static func list(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        if let own = visit.session.hub.flatMap(HubName.init) {
            return .seeOther(PageAddress.hub(own))
        }
        let service = visit.console.service
        let most = visit.console.rest.limits.namespace.hubsMax
        let hubs = try visit.refusing { () throws(Refusal) in
            try service.hubs(skip: 0, limit: most)
        }
        let gauges = await gauges(service)
        var main = HTMLOutput()
        main.table(
            "Hubs",
            ["Hub", "Connected", "Devices", "Registrations", "Sent", "Log"],
            numbers: 5
        ) { table in
            for hub in hubs.entries { row(hub, gauges[hub.name], &table) }
        }
        if hubs.entries.isEmpty { main.empty("There is no hub yet.") }
        if visit.may(.manager) {
            main.section("Make a hub") { section in
                Form(action: PageAddress.server("hubs"), token: visit.formToken)
                    .write(to: &section) {
                        $0.field("Name", "name", hint: "Letters, digits, '.', '_' and '-'.")
                        $0.button("Make it")
                    }
            }
        }
        return .page("Hubs", tab: nil, main)
    }

    private static func row(
        _ hub: HubDescription,
        _ gauges: DirectoryGauges?,
        _ table: inout HTMLOutput
    ) {
        table.row { row in
            row.cell { $0.link(PageAddress.hub(hub.name), hub.name.description) }
            for (name, number) in [
                ("connected", gauges?.sessions), ("devices", gauges?.devices),
                ("registrations", gauges?.registrations), ("sent", gauges.map { Int($0.logHead) }),
            ] {
                row.element("td", ["class": "number"]) {
                    $0.live("\(hub.name)-\(name)", number.map { Spelled.count($0) } ?? "–")
                }
            }
            row.element("td", ["class": "number"]) {
                $0.text(gauges.map { Spelled.bytes($0.logBytes) } ?? "does not answer")
            }
        }
    }

    /// The gauges of each hub that answers in time.
    static func gauges(_ service: any HubService) async -> [HubName: DirectoryGauges] {
        await withCheckedContinuation { continuation in
            service.gauges { continuation.resume(returning: $0) }
        }
    }

    private static func make(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        guard let name = HubName(visit.fields["name"]) else {
            let reason = "must be letters, digits, '.', '_' and '-', and not begin with '.'."
            throw .refused(.invalid(field: "name", reason: reason))
        }
        _ = try await CommandBridge.submit(
            .createHub(name, HubDefinition()),
            of: visit.console.service
        )
        return .seeOther(PageAddress.hub(name, "access"))
    }
}
