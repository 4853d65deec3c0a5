import HubEndpoint
import HubModel
import HubREST
import HubRules
import HubVocabulary

/// The access rules of a hub: rights, age of keys, new keys, connection strings.
enum AccessPages {
    static let rows = [
        PageRow(
            "access",
            "/$belfry/ui/h/{hub}/access",
            for: .manager,
            shows: ["listKeys"],
            run: show
        ),
        PageRow(
            post: "renewKey",
            "/$belfry/ui/h/{hub}/access/renew",
            for: .manager,
            reach: .server,
            shows: ["renewKey"],
            audit: "console.renewKey",
            naming: ["rule", "key"],
            needsConfirmation: true,
            run: renew
        ),
        PageRow(
            post: "copyKey",
            "/$belfry/ui/h/{hub}/access/copy",
            for: .manager,
            shows: ["getHub"],
            audit: "console.copyConnectionString",
            naming: ["rule", "key"],
            needsConfirmation: true,
            run: copy
        ),
    ]

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let hub = try visit.refusing { () throws(Refusal) in
            try visit.console.service.hub(visit.named)
        }
        var main = HTMLOutput()
        main.table("Access rules", ["Rule", "Rights", "Key", "Made", "Last used", "Use it"]) {
            table in
            for rule in hub.rules {
                for key in RuleKey.allCases { row(rule, key, visit, &table) }
            }
        }
        RulePages.write(hub.rules, visit, &main)
        if visit.session.reachesServer { steps(&main) }
        return .page("Access", tab: .access, main)
    }

    private static func steps(_ main: inout HTMLOutput) {
        main.section("Change a key without a break") { section in
            section.element("ol") { steps in
                for step in [
                    "Make the secondary key anew, copy its connection string, and give it to all "
                        + "who use the rule.",
                    "Make the primary key anew once all of them use the secondary one.",
                    "Give them the new primary key, when you like.",
                ] { steps.element("li", text: step) }
            }
            section.element(
                "p",
                text: "An old key is refused at once. Sessions of the console that began with its "
                    + "rule end too."
            )
        }
    }

    private static func row(
        _ rule: HubRule,
        _ key: RuleKey,
        _ visit: PageVisit,
        _ table: inout HTMLOutput
    ) {
        let made = key == .primary ? rule.primaryMade : rule.secondaryMade
        table.row { row in
            row.cell { $0.stranger(rule.rule.name) }
            row.cell(rule.rule.rights.map(\.name).joined(separator: ", "))
            row.cell(key.rawValue)
            row.cell(Spelled.age(made, now: visit.now))
            row.cell { used(rule.rule, key, visit, &$0) }
            row.cell { cell in
                let page = PageAddress.hub(visit.named, "access")
                let copy = PageAddress.hub(visit.named, "access", "copy")
                let renew = PageAddress.hub(visit.named, "access", "renew")
                func carry(_ form: inout HTMLOutput) {
                    for (name, value) in [("rule", rule.rule.name), ("key", key.rawValue)] {
                        form.void("input", ["type": "hidden", "name": name, "value": value])
                    }
                }
                guard visit.isFresh else {
                    return ConfirmedForm(action: copy, page: page, visit: visit)
                        .write(to: &cell) { _ in }
                }
                ConfirmedForm(action: copy, page: page, visit: visit, script: "copy")
                    .write(to: &cell) {
                        carry(&$0)
                        $0.button("Copy connection string")
                    }
                guard visit.session.reachesServer else { return }
                ConfirmedForm(action: renew, page: page, visit: visit).write(to: &cell) {
                    carry(&$0)
                    $0.button("Make anew", isDangerous: true)
                }
            }
        }
    }

    /// The hour of a key's last use, and whether devices connect with it.
    private static func used(
        _ rule: AccessRule,
        _ key: RuleKey,
        _ visit: PageVisit,
        _ cell: inout HTMLOutput
    ) {
        let use = key == .primary ? rule.primaryUse : rule.secondaryUse
        guard let last = use.last else { return cell.text("no use is known") }
        // Uses are kept by the hour.
        let isNow = visit.now.milliseconds < last.milliseconds + 3_600_000
        cell.text(isNow ? "within the hour" : Spelled.age(last, now: visit.now))
        if use.last(.device) != nil { cell.text(", also by devices") }
    }

    private static func named(
        _ visit: PageVisit
    ) throws(RequestFailure) -> (rule: HubRule, key: RuleKey) {
        let hub = try visit.refusing { () throws(Refusal) in
            try visit.console.service.hub(visit.named)
        }
        guard let rule = hub.rules.first(where: { $0.rule.name == visit.fields["rule"] }) else {
            throw .refused(.invalid(field: "rule", reason: "is no access rule of this hub."))
        }
        guard let key = RuleKey(rawValue: visit.fields["key"]) else {
            throw .refused(.invalid(field: "key", reason: "must be 'primary' or 'secondary'."))
        }
        return (rule, key)
    }

    private static func renew(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let (rule, key) = try named(visit)
        _ = try await CommandBridge.submit(
            .renewKey(visit.named, rule: rule.rule.name, key),
            of: visit.console.service
        )
        return .seeOther(PageAddress.hub(visit.named, "access"))
    }

    /// The connection string as plain text: no key is ever in a page.
    private static func copy(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let (rule, key) = try named(visit)
        let host = visit.console.rest.externalHost
        let parts = host.split(separator: ":")
        let port = parts.last.flatMap { UInt16($0) }
        let string = ConnectionString(
            host: port == nil ? host : parts.dropLast().joined(separator: ":"),
            port: port ?? 443,
            keyName: rule.rule.name,
            key: key == .primary ? rule.rule.primaryKey : rule.rule.secondaryKey,
            hub: visit.named.description
        )
        return .text(string.text)
    }
}
