import HubRules
import HubTestSupport
import HubVocabulary
import Testing

private func rule(
    _ name: String,
    _ keys: (String, String),
    _ rights: [AccessRight]
) throws -> AccessRule {
    try AccessRule(name: name, primaryKey: keys.0, secondaryKey: keys.1, rights: rights)
}

@Suite("Access rules")
struct AccessRuleTests {
    @Test("have a name, two keys and a right, each within its limit")
    func limits() throws {
        let long = String(repeating: "k", count: 257)
        for (name, first, second) in [
            ("", "a", "b"), ("n", "", "b"), ("n", "a", ""), (long, "a", "b"),
        ] {
            #expect(throws: Refusal.self) { try rule(name, (first, second), [.send]) }
        }
        #expect(throws: Refusal.self) { try rule("n", ("a", "b"), []) }
        let full = try rule("n", (String(long.dropLast()), "b"), [.manage])
        #expect(full.rights == AccessRight.allCases)
        #expect("\(full)" == "n (Listen, Send, Manage)")
    }

    @Test("are at most twelve on a level, with different names")
    func counts() throws {
        let hub = try #require(HubName("news"))
        let rules = try (0..<13).map { try rule("rule\($0)", ("a", "b"), [.send]) }
        _ = try AccessPolicies(names: ["h"], namespace: [], hubs: [hub: Array(rules[..<12])])
        #expect(throws: Refusal.tooManyInRequest(what: "access rules", limit: 12)) {
            try AccessPolicies(names: ["h"], namespace: [], hubs: [hub: rules])
        }
        #expect(throws: Refusal.tooManyInRequest(what: "access rules", limit: 12)) {
            try AccessPolicies(names: ["h"], namespace: rules, hubs: [:])
        }
        #expect(throws: Refusal.self) {
            try AccessPolicies(names: ["h"], namespace: [rules[0], rules[0]], hubs: [:])
        }
    }

    @Test("of a new hub and namespace have keys of 32 random bytes, all different")
    func defaults() throws {
        var random = SeededGenerator(seed: 7)
        let newKey = { AccessRule.keyText(random: random.bytes(AccessRule.keyBytes)) }
        let rules =
            try AccessRule.hubDefaults(newKey: newKey)
            + AccessRule.namespaceDefaults(newKey: newKey)
        #expect(
            rules.map(\.description) == [
                "DefaultFullSharedAccessSignature (Listen, Send, Manage)",
                "DefaultListenSharedAccessSignature (Listen)",
                "DefaultSendSharedAccessSignature (Send)",
                "RootManageSharedAccessKey (Listen, Send, Manage)",
            ]
        )
        let keys = rules.flatMap { [$0.primaryKey, $0.secondaryKey] }
        #expect(Set(keys).count == 8)
        #expect(keys.allSatisfy { $0.utf8.count == 44 && $0.hasSuffix("=") })
    }
}
