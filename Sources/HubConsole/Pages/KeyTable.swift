import HubEndpoint
import HubREST
import HubRules
import HubVocabulary

/// The keys of access rules, of a hub or of the namespace: a table, and what can be done to each.
struct KeyTable {
    /// A rule, and one of its keys.
    typealias Choice = (rule: AccessRule, key: RuleKey)

    /// The page that it stands on.
    let page: String
    /// Where a connection string is asked for.
    let copy: String
    /// Where a key is made anew; nil where the session may not.
    let renew: String?
    /// The operator's request.
    let visit: PageVisit

    /// Writes the table.
    func write(_ rules: [HubRule], to main: inout HTMLOutput) {
        main.table("Access rules", ["Rule", "Rights", "Key", "Made", "Last used", "Use it"]) {
            table in
            for rule in rules {
                for key in RuleKey.allCases { row(rule, key, &table) }
            }
        }
    }

    /// Writes how keys change without a break.
    static func writeSteps(to main: inout HTMLOutput) {
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

    private func row(_ rule: HubRule, _ key: RuleKey, _ table: inout HTMLOutput) {
        let made = key == .primary ? rule.primaryMade : rule.secondaryMade
        table.row { row in
            row.cell { $0.stranger(rule.rule.name) }
            row.cell(rule.rule.rights.map(\.name).joined(separator: ", "))
            row.cell(key.rawValue)
            row.cell(Spelled.age(made, now: visit.now))
            row.cell { used(key == .primary ? rule.rule.primaryUse : rule.rule.secondaryUse, &$0) }
            row.cell { forms(rule.rule, key, &$0) }
        }
    }

    private func forms(_ rule: AccessRule, _ key: RuleKey, _ cell: inout HTMLOutput) {
        func carry(_ form: inout HTMLOutput) {
            for (name, value) in [("rule", rule.name), ("key", key.rawValue)] {
                form.void("input", ["type": "hidden", "name": name, "value": value])
            }
        }
        guard visit.isFresh else {
            return ConfirmedForm(action: copy, page: page, visit: visit).write(to: &cell) { _ in }
        }
        ConfirmedForm(action: copy, page: page, visit: visit, script: "copy").write(to: &cell) {
            carry(&$0)
            $0.button("Copy connection string")
        }
        guard let renew else { return }
        ConfirmedForm(action: renew, page: page, visit: visit).write(to: &cell) {
            carry(&$0)
            $0.button("Make anew", isDangerous: true)
        }
    }

    /// The hour of a key's last use, and whether devices connect with it.
    private func used(_ use: KeyUse, _ cell: inout HTMLOutput) {
        guard let last = use.last else { return cell.text("no use is known") }
        // Uses are kept by the hour.
        let isNow = visit.now.milliseconds < last.milliseconds + 3_600_000
        cell.text(isNow ? "within the hour" : Spelled.age(last, now: visit.now))
        if use.last(.device) != nil { cell.text(", also by devices") }
    }

    /// The rule and key that a form names.
    static func chosen(
        _ visit: PageVisit,
        among rules: [HubRule],
        of owner: String
    ) throws(RequestFailure) -> Choice {
        guard let rule = rules.first(where: { $0.rule.name == visit.fields["rule"] }) else {
            throw .refused(.invalid(field: "rule", reason: "is no access rule of \(owner)."))
        }
        guard let key = RuleKey(rawValue: visit.fields["key"]) else {
            throw .refused(.invalid(field: "key", reason: "must be 'primary' or 'secondary'."))
        }
        return (rule.rule, key)
    }

    /// A connection string as plain text: no key is ever in a page.
    ///
    /// Without a hub it is one for all of them.
    static func copied(_ choice: Choice, of hub: String? = nil, _ visit: PageVisit) -> PageAnswer {
        let host = visit.console.rest.externalHost
        let parts = host.split(separator: ":")
        let port = parts.last.flatMap { UInt16($0) }
        let string = ConnectionString(
            host: port == nil ? host : parts.dropLast().joined(separator: ":"),
            port: port ?? 443,
            keyName: choice.rule.name,
            key: choice.key == .primary ? choice.rule.primaryKey : choice.rule.secondaryKey,
            hub: hub
        )
        return .text(string.text)
    }
}
