import HubModel
import HubREST
import HubTags
import HubVocabulary

/// The tags in use, and the audience of an expression.
enum TagPages {
    static let rows = [
        PageRow("tags", "/$belfry/ui/h/{hub}/tags", shows: ["listTags"], run: list),
        PageRow(
            "audience",
            "/$belfry/ui/h/{hub}/audience",
            shows: ["inspectAudience"],
            run: audience
        ),
    ]

    private static func list(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let prefix = visit.query("prefix")
        let found = try await visit.asking.tags(
            prefix: Array(prefix.utf8),
            after: Array(visit.query("after").utf8),
            limit: visit.console.limits.rowsPerPage
        )
        var main = HTMLOutput()
        main.search(PageAddress.hub(visit.named, "tags")) { form in
            form.field("Begins with", "prefix", value: prefix)
            form.button("Show")
        }
        if found.entries.isEmpty {
            main.empty(
                prefix.isEmpty ? "No registration has a tag yet." : "No tag begins so."
            )
        } else {
            main.table("Tags", ["Tag", "Registrations"], numbers: 1) { table in
                for entry in found.entries {
                    let tag = String(decoding: entry.tag, as: UTF8.self)
                    table.row { row in
                        row.cell {
                            let query: KeyValuePairs = ["tag": tag]
                            $0.strangerLink(
                                PageAddress.hub(visit.named, "registrations", query: query),
                                tag
                            )
                        }
                        row.cell(number: entry.registrations)
                    }
                }
            }
        }
        main.next(
            found.next.map {
                let after = String(decoding: $0, as: UTF8.self)
                let query: KeyValuePairs = ["prefix": prefix, "after": after]
                return PageAddress.hub(visit.named, "tags", query: query)
            }
        )
        audienceForm(visit, &main)
        return .page("Tags", tab: .tags, main)
    }

    private static func audienceForm(_ visit: PageVisit, _ main: inout HTMLOutput) {
        main.section("Whom does an expression mean?") { section in
            section.search(PageAddress.hub(visit.named, "audience")) {
                $0.field(
                    "Tag expression",
                    "tags",
                    value: visit.query("tags"),
                    hint: "Such as World && !Sports; empty means everyone."
                )
                $0.button("Count")
            }
        }
    }

    private static func audience(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let target = try HubAsking.target(
            ofTags: Array(visit.query("tags").utf8),
            visit.console.rest.limits
        )
        let format = SendPages.format(visit.query("format"))
        let found = try await visit.asking.audience(target, format: format, sample: 10)
        var main = HTMLOutput()
        main.element("p", ["class": "answer"]) { answer in
            answer.live("audience", sentence(found))
        }
        // While an expression is typed, its count is enough.
        if case .tags(let expression) = target, !visit.incoming.target.flag("live") {
            if found.registrations == 0 {
                main.element("p") { hint in
                    hint.text("No registration satisfies ")
                    hint.stranger(expression.source)
                    hint.text(".")
                }
            }
            try await TagLeaves.write(expression, visit, &main)
        }
        if !found.shares.isEmpty {
            main.table("By platform", ["Platform", "Kind", "Registrations"], numbers: 1) { table in
                for share in found.shares {
                    table.row { row in
                        row.cell(share.platform.format)
                        row.cell(share.isTemplate ? "template" : "native")
                        row.cell(number: share.registrations)
                    }
                }
            }
            main.section("Some of them") { RegistrationPages.table(found.sample, visit, &$0) }
        }
        audienceForm(visit, &main)
        return .page("Audience", tab: .tags, main)
    }

    /// How many an audience is, as a sentence.
    static func sentence(_ audience: InspectedAudience) -> String {
        let all = Spelled.count(audience.registrations)
        guard audience.withoutDevice > 0 else { return "\(all) registrations." }
        return "\(all) registrations; \(Spelled.count(audience.withoutDevice)) of them lead to no "
            + "device of this hub."
    }
}
