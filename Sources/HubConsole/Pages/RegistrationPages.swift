import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubRules
import HubTags
import HubTemplates
import HubVocabulary

/// The registrations of a hub: the list, one of them, its end.
enum RegistrationPages {
    static let rows = [
        PageRow(
            "registrations",
            "/$belfry/ui/h/{hub}/registrations",
            shows: ["listRegistrations", "listRegistrationsOfTag"],
            run: list
        ),
        PageRow(
            "registration",
            "/$belfry/ui/h/{hub}/registrations/{id}",
            shows: ["getRegistration"],
            run: show
        ),
        PageRow(
            post: "changeTags",
            "/$belfry/ui/h/{hub}/registrations/{id}/tags",
            for: .manager,
            shows: ["putRegistration"],
            audit: "console.changeTags",
            naming: ["tags"],
            run: changeTags
        ),
        PageRow(
            post: "deleteRegistration",
            "/$belfry/ui/h/{hub}/registrations/{id}/delete",
            for: .manager,
            shows: ["deleteRegistration"],
            audit: "console.deleteRegistration",
            needsConfirmation: true,
            run: delete
        ),
    ]

    private static func list(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let tag = visit.query("tag")
        let filter: RegistrationFilter = tag.isEmpty ? .all : .tag(Array(tag.utf8))
        let after = RegistrationNumber(UInt32(visit.query("after")) ?? 0)
        let limit = visit.console.limits.rowsPerPage
        let found = try await visit.asking.submit(
            ListRegistrations(filter, after: after, limit: limit)
        )
        var main = HTMLOutput()
        main.search(PageAddress.hub(visit.named, "registrations")) { form in
            form.field("Has the tag", "tag", value: tag)
            form.button("Show")
        }
        if found.entries.isEmpty, found.next == nil {
            main.empty(
                tag.isEmpty
                    ? "There is no registration yet. Apps and back ends make them."
                    : "No registration has this tag."
            )
        } else {
            table(found.entries, visit, &main)
        }
        main.next(
            found.next.map {
                PageAddress.hub(
                    visit.named,
                    "registrations",
                    query: ["tag": tag, "after": String($0.raw)]
                )
            }
        )
        return .page("Registrations", tab: .registrations, main)
    }

    /// Registrations as a table; handles are masked.
    static func table(
        _ registrations: [Registration],
        _ visit: PageVisit,
        _ output: inout HTMLOutput
    ) {
        output.table(
            "Registrations",
            ["Registration", "Platform", "Kind", "Handle", "Tags"]
        ) { table in
            for registration in registrations {
                let id = String(decoding: registration.id, as: UTF8.self)
                table.row { row in
                    row.cell {
                        $0.strangerLink(PageAddress.hub(visit.named, "registrations", id), id)
                    }
                    row.cell(registration.content.platform.format)
                    row.cell(registration.content.template == nil ? "native" : "template")
                    row.cell { $0.stranger(Spelled.handle(registration.content.handle)) }
                    row.cell { tags(of: registration, shown: 8, nil, &$0) }
                }
            }
        }
    }

    /// The first tags of a registration, and how many more there are; links where a visit is given.
    private static func tags(
        of registration: Registration,
        shown: Int,
        _ visit: PageVisit?,
        _ output: inout HTMLOutput
    ) {
        let all = registration.tags
        output.element("ul", ["class": "tags"]) { list in
            for index in 0..<min(shown, all.count) {
                let tag = String(decoding: all.bytes[all.range(at: index)], as: UTF8.self)
                list.element("li") {
                    guard let visit else { return $0.stranger(tag) }
                    $0.strangerLink(
                        PageAddress.hub(visit.named, "registrations", query: ["tag": tag]),
                        tag
                    )
                }
            }
            if all.count > shown { list.element("li", text: "and \(all.count - shown) more") }
        }
    }

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let found = try await visit.asking.submit(GetRegistration(id: visit.part("id")))
        let content = found.content
        let id = String(decoding: found.id, as: UTF8.self)
        var main = HTMLOutput()
        main.facts { facts in
            facts.fact("Platform", content.platform.format)
            facts.fact("Handle") { $0.stranger(Spelled.handle(content.handle)) }
            facts.fact("Device") { device in
                guard let target = found.target?.device else {
                    return device.text("none of this hub")
                }
                let id = Spelled.device(target)
                device.link(PageAddress.hub(visit.named, "devices", id), id)
            }
            facts.fact("Tags") { tags(of: found, shown: .max, visit, &$0) }
            facts.fact("Made") { $0.time(found.created) }
            facts.fact("Changed") { $0.time(found.modified) }
            facts.fact("Expires") { output in
                found.expires.map { output.time($0) } ?? output.text("never")
            }
        }
        if let template = content.template {
            main.section("Template") { section in
                if found.template?.compiled == nil {
                    section.element("p") { $0.state(.bad, "It does not compile: nothing comes.") }
                }
                section.element("pre") { $0.stranger(template.body) }
            }
        }
        if visit.may(.manager) {
            tagsForm(found, id, visit, &main)
            main.section("Delete") { section in
                section.element("p", text: "It gets nothing from then on.")
                ConfirmedForm(
                    action: PageAddress.hub(visit.named, "registrations", id, "delete"),
                    page: PageAddress.hub(visit.named, "registrations", id),
                    visit: visit
                ).write(to: &section) {
                    $0.button("Delete this registration", isDangerous: true)
                }
            }
        }
        return .page("Registration \(ShownText.spelled(id))", tab: .registrations, main)
    }

    private static func tagsForm(
        _ registration: Registration,
        _ id: String,
        _ visit: PageVisit,
        _ main: inout HTMLOutput
    ) {
        let all = registration.tags
        let tags = (0..<all.count).map { index in
            String(decoding: all.bytes[all.range(at: index)], as: UTF8.self)
        }
        let text = tags.joined(separator: ", ")
        main.section("Change its tags") { section in
            guard ShownText.spelled(text) == text else {
                return section.element(
                    "p",
                    text: "One of them has characters that a form does not show: change them over "
                        + "REST."
                )
            }
            Form(
                action: PageAddress.hub(visit.named, "registrations", id, "tags"),
                token: visit.formToken
            ).write(to: &section) { form in
                form.textField(
                    "Tags",
                    "tags",
                    value: text,
                    hint: "With commas between them. The app may set others when it registers."
                )
                form.void(
                    "input",
                    ["type": "hidden", "name": "version", "value": "\(registration.version)"]
                )
                form.button("Change the tags")
            }
        }
    }

    /// Refused when the registration was written since the form was shown.
    private static func changeTags(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let id = visit.part("id")
        let found = try await visit.asking.submit(GetRegistration(id: id))
        guard let version = UInt64(visit.fields["version"]) else {
            throw .refused(.invalid(field: "version", reason: "is missing: load the page again."))
        }
        let limits = visit.console.rest.limits
        let content = try visit.refusing { () throws(Refusal) in
            var content = found.content
            content.tags = try TagText.read(Array(visit.fields["tags"].utf8), limits: limits)
            return try content.validated(limits: limits)
        }
        _ = try await visit.asking.submit(
            PutRegistration(id: id, content, .version(version), visit.grant)
        )
        return .seeOther(
            PageAddress.hub(visit.named, "registrations", String(decoding: id, as: UTF8.self))
        )
    }

    private static func delete(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        try await visit.asking.submit(
            DeleteRegistration(id: visit.part("id"), .exists, visit.grant)
        )
        return .seeOther(PageAddress.hub(visit.named, "registrations"))
    }
}
