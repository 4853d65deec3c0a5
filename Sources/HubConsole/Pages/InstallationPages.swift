import HubModel
import HubQuestions
import HubREST
import HubVocabulary

/// The installations of a hub: the list, one of them.
enum InstallationPages {
    static let rows = [
        PageRow(
            "installations",
            "/$belfry/ui/h/{hub}/installations",
            shows: ["listInstallations"],
            run: list
        ),
        PageRow(
            "installation",
            "/$belfry/ui/h/{hub}/installations/{id}",
            shows: ["getInstallation"],
            run: show
        ),
    ]

    private static func list(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let (prefix, tag) = (visit.query("prefix"), visit.query("tag"))
        let filter = InstallationFilter(
            prefix: Array(prefix.utf8),
            tag: tag.isEmpty ? nil : Array(tag.utf8)
        )
        let after = InstallationNumber(UInt32(visit.query("after")) ?? 0)
        let limit = visit.console.limits.rowsPerPage
        let found = try await visit.asking.submit(
            ListInstallations(filter, after: after, limit: limit)
        )
        var main = HTMLOutput()
        main.search(PageAddress.hub(visit.named, "installations")) { form in
            form.field("Id begins with", "prefix", value: prefix)
            form.field("Has the tag", "tag", value: tag)
            form.button("Show")
        }
        main.element("p", text: "\(Spelled.count(found.total)) in all.")
        if found.installations.isEmpty, found.next == nil {
            main.empty("No installation fits. Apps and back ends make them.")
        } else {
            table(found.installations, visit, &main)
        }
        main.next(
            found.next.map {
                PageAddress.hub(
                    visit.named,
                    "installations",
                    query: ["prefix": prefix, "tag": tag, "after": String($0.raw)]
                )
            }
        )
        return .page("Installations", tab: .installations, main)
    }

    private static func table(
        _ installations: [Installation],
        _ visit: PageVisit,
        _ main: inout HTMLOutput
    ) {
        main.table("Installations", ["Installation", "Platform", "Expires"]) { table in
            for installation in installations {
                let id = String(decoding: installation.id, as: UTF8.self)
                table.row { row in
                    row.cell {
                        $0.strangerLink(PageAddress.hub(visit.named, "installations", id), id)
                    }
                    row.cell(installation.platform.format)
                    row.cell { cell in
                        installation.expires.map { cell.time($0) } ?? cell.text("never")
                    }
                }
            }
        }
    }

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let found = try await visit.asking.submit(GetInstallation(id: visit.part("id")))
        var main = HTMLOutput()
        main.facts { facts in
            facts.fact("Platform", found.installation.platform.format)
            facts.fact("Channel") {
                $0.state(
                    found.channelExpired ? .bad : .good,
                    found.channelExpired ? "has expired" : "in use"
                )
            }
            facts.fact("Expires") { output in
                found.installation.expires.map { output.time($0) } ?? output.text("never")
            }
        }
        let tag = "$InstallationId:{\(String(decoding: found.installation.id, as: UTF8.self))}"
        main.element("p") {
            $0.link(
                PageAddress.hub(visit.named, "registrations", query: ["tag": tag]),
                "Its registrations"
            )
        }
        let id = ShownText.spelled(String(decoding: found.installation.id, as: UTF8.self))
        return .page("Installation \(id)", tab: .installations, main)
    }
}
