import HubModel
import HubREST
import HubRules
import HubVocabulary

/// New access rules of a hub, and the end of others; the rest of its rules keep their keys.
///
/// As over REST, they need the namespace's rights.
enum RulePages {
    static let rows = [
        PageRow(
            post: "addRule",
            "/$belfry/ui/h/{hub}/access/add",
            for: .manager,
            reach: .server,
            shows: ["putHub"],
            audit: "console.addRule",
            naming: ["rule", "rights"],
            needsConfirmation: true,
            run: add
        ),
        PageRow(
            post: "removeRule",
            "/$belfry/ui/h/{hub}/access/remove",
            for: .manager,
            reach: .server,
            shows: ["putHub"],
            audit: "console.removeRule",
            naming: ["removed"],
            needsConfirmation: true,
            run: remove
        ),
    ]

    /// The choices of the form; Manage brings the other two.
    private static let choices: [(value: String, label: String, rights: [AccessRight])] = [
        ("listen", "Listen: apps", [.listen]), ("send", "Send: back ends", [.send]),
        ("listen-send", "Listen and Send", [.listen, .send]),
        ("manage", "Manage: everything", AccessRight.allCases),
    ]

    /// Writes the forms.
    static func write(_ rules: [HubRule], _ visit: PageVisit, _ main: inout HTMLOutput) {
        guard visit.session.reachesServer else { return }
        let page = PageAddress.hub(visit.named, "access")
        main.section("Add a rule") { section in
            ConfirmedForm(
                action: PageAddress.hub(visit.named, "access", "add"),
                page: page,
                visit: visit
            ).write(to: &section) {
                $0.field("Name", "rule", hint: "Such as the name of the back end that gets it.")
                $0.choice(
                    "Rights",
                    "rights",
                    choices.map { (value: $0.value, label: $0.label) },
                    chosen: "send"
                )
                $0.button("Add the rule")
            }
        }
        guard !rules.isEmpty else { return }
        main.section("Remove a rule") { section in
            section.element(
                "p",
                text: "Both of its keys are refused at once: of senders, of devices that connect "
                    + "anew, and of sessions of the console."
            )
            ConfirmedForm(
                action: PageAddress.hub(visit.named, "access", "remove"),
                page: page,
                visit: visit
            ).write(to: &section) { form in
                form.choice(
                    "Rule",
                    "removed",
                    rules.map { (value: $0.rule.name, label: ShownText.spelled($0.rule.name)) },
                    chosen: ""
                )
                form.button("Remove the rule", isDangerous: true)
            }
        }
    }

    private static func add(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let name = visit.fields["rule"]
        guard let choice = choices.first(where: { $0.value == visit.fields["rights"] }) else {
            throw .refused(.invalid(field: "rights", reason: "are none of the choices."))
        }
        var rules = try rules(visit)
        guard !rules.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw .refused(.invalid(field: "rule", reason: "is the name of another rule."))
        }
        rules.append(HubDefinition.Rule(name: name, rights: choice.rights))
        return try await change(to: rules, visit)
    }

    private static func remove(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let rules = try rules(visit)
        let left = rules.filter { $0.name != visit.fields["removed"] }
        guard left.count < rules.count else {
            throw .refused(.invalid(field: "rule", reason: "is no access rule of this hub."))
        }
        return try await change(to: left, visit)
    }

    /// The rules of the hub, without keys: they keep theirs.
    private static func rules(
        _ visit: PageVisit
    ) throws(RequestFailure) -> [HubDefinition.Rule] {
        let hub = try visit.refusing { () throws(Refusal) in
            try visit.console.service.hub(visit.named)
        }
        return hub.rules.map { HubDefinition.Rule(name: $0.rule.name, rights: $0.rule.rights) }
    }

    private static func change(
        to rules: [HubDefinition.Rule],
        _ visit: PageVisit
    ) async throws(RequestFailure) -> PageAnswer {
        _ = try await CommandBridge.submit(
            .updateHub(visit.named, HubDefinition(rules: rules)),
            of: visit.console.service
        )
        return .seeOther(PageAddress.hub(visit.named, "access"))
    }
}
