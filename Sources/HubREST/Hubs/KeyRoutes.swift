import HubRules
import HubVocabulary

/// The access rules of a hub, and of the namespace, without their keys, and new keys one by one: own
/// additions.
enum KeyRoutes {
    static let rows = [
        RouteRow(
            "listKeys",
            "GET",
            "/{hub}/$belfry/keys",
            "Lists a hub's access rules with age and last use of their keys; open to the hub's own too",
            ofNamespace: .manage,
            isOpenToHub: true,
            answers: [
                AnswerNote(200, "The rules without their keys", ContentType.json, schema: "Keys")
            ],
            run: list
        ),
        RouteRow(
            "renewKey",
            "POST",
            "/{hub}/$belfry/keys",
            "Makes one key of an access rule anew; the old one is refused from then on",
            ofNamespace: .manage,
            inputs: renewing,
            answers: renewed,
            refusals: [400],
            run: renew
        ),
        RouteRow(
            "listNamespaceKeys",
            "GET",
            "/$belfry/keys",
            "Lists the access rules that hold for every hub, with age and last use of their keys",
            ofNamespace: .manage,
            answers: [
                AnswerNote(200, "The rules without their keys", ContentType.json, schema: "Keys")
            ],
            run: listOfNamespace
        ),
        RouteRow(
            "renewNamespaceKey",
            "POST",
            "/$belfry/keys",
            "Makes one key of such a rule anew; the old one is refused from then on",
            ofNamespace: .manage,
            inputs: renewing,
            answers: renewed,
            refusals: [400],
            run: renewOfNamespace
        ),
    ]

    private static let renewing: [InputNote] = [
        .query("rule", "The rule's name."),
        .query("key", "Which key.", .words(RuleKey.allCases.map(\.rawValue))),
    ]
    private static let renewed = [
        AnswerNote(200, "The new key; it is in force", ContentType.json, schema: "NewKey")
    ]

    private struct Page: Encodable {
        var rules: [Rule]
    }

    private struct Rule: Encodable {
        var created: String
        var modified: String
        var name: String
        var primaryMade: String
        /// Absent when no use of it is known.
        var primaryUsed: String?
        var rights: [String]
        var secondaryMade: String
        /// Absent when no use of it is known.
        var secondaryUsed: String?
        /// The hour of the last HELLO with either key; absent when no device has used one.
        var usedByDevices: String?

        init(_ found: HubRule) {
            created = TimeText.iso8601(found.created)
            modified = TimeText.iso8601(found.modified)
            name = found.rule.name
            primaryMade = TimeText.iso8601(found.primaryMade)
            primaryUsed = found.rule.primaryUse.last.map(TimeText.iso8601)
            rights = found.rule.rights.map(\.name)
            secondaryMade = TimeText.iso8601(found.secondaryMade)
            secondaryUsed = found.rule.secondaryUse.last.map(TimeText.iso8601)
            usedByDevices = [found.rule.primaryUse, found.rule.secondaryUse]
                .compactMap { $0.last(.device) }.max().map(TimeText.iso8601)
        }
    }

    private struct NewKey: Encodable {
        var key: String
        var rule: String
        var value: String
    }

    private static func list(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        let name = try exchange.knownHub()
        let found = try refusing { () throws(Refusal) in try exchange.service.hub(name) }
        return Answer(json: Page(rules: found.rules.map(Rule.init)))
    }

    private static func renew(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        let hub = try exchange.knownHub()
        // An unknown hub is told first, whatever else is wrong.
        _ = try refusing { () throws(Refusal) in try exchange.service.hub(hub) }
        let (rule, key) = try named(exchange)
        let changed = try await exchange.submit(.renewKey(hub, rule: rule, key))
        guard let made = changed.rules.first(where: { $0.rule.name == rule })?.rule else {
            throw .refused(.invalid(field: "rule", reason: "is no access rule of this hub."))
        }
        return answer(key, of: made)
    }

    private static func listOfNamespace(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        Answer(json: Page(rules: exchange.service.namespaceRules.map(Rule.init)))
    }

    private static func renewOfNamespace(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        let (rule, key) = try named(exchange)
        let service = exchange.service
        return answer(
            key,
            of: try await CommandBridge.renew(key, ofNamespace: rule, of: service).rule
        )
    }

    /// The rule and the key that a request names.
    private static func named(
        _ exchange: NamespaceExchange
    ) throws(RequestFailure) -> (rule: String, key: RuleKey) {
        let target = exchange.incoming.target
        let word = String(decoding: target.value("key") ?? [], as: UTF8.self).lowercased()
        guard let key = RuleKey(rawValue: word) else {
            throw .refused(.invalid(field: "key", reason: "is neither 'primary' nor 'secondary'."))
        }
        return (String(decoding: target.value("rule") ?? [], as: UTF8.self), key)
    }

    /// The new key, which no cache may keep.
    private static func answer(_ key: RuleKey, of rule: AccessRule) -> Answer {
        let value = key == .primary ? rule.primaryKey : rule.secondaryKey
        var answer = Answer(json: NewKey(key: key.rawValue, rule: rule.name, value: value))
        answer.headers.append(("Cache-Control", "no-store"))
        return answer
    }
}
