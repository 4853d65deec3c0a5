import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubVocabulary

/// The devices of a hub: the list, the furthest behind, one of them, its revocation.
enum DevicePages {
    static let rows = [
        PageRow(
            "devices",
            "/$belfry/ui/h/{hub}/devices",
            shows: ["listDevices"],
            run: list
        ),
        PageRow(
            "device",
            "/$belfry/ui/h/{hub}/devices/{device}",
            shows: ["getDevice", "explain"],
            run: show
        ),
        PageRow(
            post: "revoke",
            "/$belfry/ui/h/{hub}/devices/{device}/revoke",
            for: .manager,
            shows: ["revokeDevice"],
            audit: "console.revoke",
            needsConfirmation: true,
            run: revoke
        ),
    ]

    private static let latest = 20

    // MARK: The list

    private static func list(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let order: ListDevices.Order = visit.query("sort") == "behind" ? .behind : .kept
        let start: UInt32 = HexText.number(Array(visit.query("from").utf8)) ?? 0
        let found = try await visit.asking.devices(
            try filter(visit),
            order: order,
            from: order == .behind ? 0 : start,
            limit: visit.console.limits.rowsPerPage
        )
        var main = HTMLOutput()
        filterForm(visit, &main)
        let next = order == .behind ? nil : found.next
        if found.entries.isEmpty {
            main.empty(
                next == nil
                    ? "No device fits. One appears when an app connects for the first time."
                    : "None of these fits; there are more."
            )
        } else {
            table(found.entries, visit, &main)
        }
        main.next(
            next.map {
                PageAddress.hub(
                    visit.named,
                    "devices",
                    query: [
                        "prefix": visit.query("prefix"), "state": visit.query("state"),
                        "tag": visit.query("tag"), "user": visit.query("user"),
                        "from": HexText.digits($0),
                    ]
                )
            }
        )
        return .page("Devices", tab: .devices, main)
    }

    private static func filter(_ visit: PageVisit) throws(RequestFailure) -> DeviceFilter {
        try visit.refusing { () throws(Refusal) in
            try DeviceFilter(
                prefix: Array(visit.query("prefix").utf8),
                state: Array(visit.query("state").utf8),
                tag: try TagOfQuery.read(visit.incoming.target)
            )
        }
    }

    private static func filterForm(_ visit: PageVisit, _ main: inout HTMLOutput) {
        main.search(PageAddress.hub(visit.named, "devices")) { form in
            form.field("Id begins with", "prefix", value: visit.query("prefix"))
            form.choice(
                "State",
                "state",
                [("", "any"), ("connected", "connected"), ("away", "away")],
                chosen: visit.query("state")
            )
            form.field("Has the tag", "tag", value: visit.query("tag"))
            form.field("Is of the user", "user", value: visit.query("user"))
            form.choice(
                "Order",
                "sort",
                [("", "as kept"), ("behind", "furthest behind first")],
                chosen: visit.query("sort")
            )
            form.button("Show")
        }
    }

    private static func table(
        _ devices: [ListedDevice],
        _ visit: PageVisit,
        _ main: inout HTMLOutput
    ) {
        main.table(
            "Devices",
            ["Device", "State", "Last seen", "Behind", "Registrations"],
            numbers: 2
        ) { table in
            for device in devices {
                let id = Spelled.device(device.cursor.device)
                table.row { row in
                    row.cell { $0.link(PageAddress.hub(visit.named, "devices", id), id) }
                    row.cell { state(device, &$0) }
                    row.cell(Spelled.age(device.cursor.lastSeen, now: visit.now))
                    row.cell(number: device.behind)
                    row.cell(number: device.registrations)
                }
            }
        }
    }

    private static func state(_ device: ListedDevice, _ output: inout HTMLOutput) {
        output.state(
            device.isConnected ? .good : .waiting,
            device.isConnected ? "connected" : "away"
        )
    }

    // MARK: One

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let subject = try subject(visit)
        let found = try await visit.asking.submit(GetDevice(subject))
        var main = HTMLOutput()
        main.facts { facts in
            facts.fact("State") { state(found.device, &$0) }
            facts.fact("Last seen") { $0.time(found.device.cursor.lastSeen) }
            facts.fact("Acknowledged up to place") {
                $0.live("acknowledged", Spelled.count(found.device.cursor.acknowledged))
            }
            facts.fact("Behind") { $0.live("behind", Spelled.count(found.device.behind)) }
            facts.fact("Key generation", Spelled.count(found.device.keyGeneration))
        }
        main.section("Registrations") { section in
            guard !found.registrations.isEmpty else {
                return section.empty("No registration leads to it, so it gets nothing.")
            }
            RegistrationPages.table(found.registrations, visit, &section)
        }
        try await history(of: .device(found.device.cursor.device), visit, &main)
        if visit.may(.manager) { revokeForm(found, visit, &main) }
        return .page(Spelled.device(found.device.cursor.device), tab: .devices, main)
    }

    private static func subject(_ visit: PageVisit) throws(RequestFailure) -> ExplainSubject {
        guard let subject = ExplainSubject(device: visit.part("device")) else {
            throw .refused(.invalid(field: "device", reason: "is no id of a device."))
        }
        return subject
    }

    /// The fate of the newest notifications at this device.
    private static func history(
        of subject: ExplainSubject,
        _ visit: PageVisit,
        _ main: inout HTMLOutput
    ) async throws(RequestFailure) {
        let newest = try await visit.asking.notifications(before: nil, limit: latest)
        guard !newest.entries.isEmpty else { return }
        var rows = HTMLOutput()
        for entry in newest.entries {
            let record = entry.record
            let name = NotificationName(id: record.id, sequence: record.sequence)
            let reasons = try await visit.asking.submit(Explain(name, subject)).reasons
            let text = NotificationAddress.text(record.id, record.sequence)
            rows.row { row in
                row.cell { cell in
                    let address = PageAddress.hub(visit.named, "notifications", text)
                    cell.element("a", ["href": address]) { $0.time(record.id.time) }
                }
                row.cell { NotificationPages.target(record.draft.target, &$0) }
                row.cell { $0.stranger(reasons[0].sentence) }
            }
        }
        main.section("The newest notifications, at this device") {
            $0.table("The newest notifications, at this device", ["Accepted", "To", "Outcome"]) {
                $0.append(rows)
            }
        }
    }

    private static func revokeForm(
        _ found: GetDevice.Reply,
        _ visit: PageVisit,
        _ main: inout HTMLOutput
    ) {
        let id = Spelled.device(found.device.cursor.device)
        main.section("Revoke") { section in
            let count = found.registrations.count
            section.element(
                "p",
                text: "Its key and handle become worthless and its session ends. "
                    + "Its \(count) registrations stay, and lead nowhere until it registers anew."
            )
            ConfirmedForm(
                action: PageAddress.hub(visit.named, "devices", id, "revoke"),
                page: PageAddress.hub(visit.named, "devices", id),
                visit: visit
            ).write(to: &section) { $0.button("Revoke this device", isDangerous: true) }
        }
    }

    private static func revoke(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let revoked = try await visit.asking.submit(RevokeDevice(try subject(visit)))
        return .seeOther(PageAddress.hub(visit.named, "devices", Spelled.device(revoked.device)))
    }
}
