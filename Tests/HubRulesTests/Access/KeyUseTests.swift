import HubRules
import HubVocabulary
import Testing

@Suite("Uses of keys")
struct KeyUseTests {
    /// 2026-05-04T09:12:00Z; its hour begins 12 minutes earlier.
    private static let now = Timestamp(milliseconds: 1_777_885_920_000)
    private static let hour = Timestamp(milliseconds: 1_777_885_200_000)

    private let hub: HubName
    private let rule: AccessRule
    private let root: AccessRule
    private let policies: AccessPolicies

    init() throws {
        hub = try #require(HubName("news"))
        rule = try AccessRule(name: "r", primaryKey: "1", secondaryKey: "2", rights: [.listen])
        root = try AccessRule(name: "r", primaryKey: "3", secondaryKey: "4", rights: [.manage])
        policies = try AccessPolicies(names: ["h"], namespace: [root], hubs: [hub: [rule]])
    }

    private func token(_ key: String, audience: String = "https://h/news") -> [UInt8] {
        Array(
            SharedAccessSigner(keyName: "r", key: key)
                .token(for: audience, expiry: Self.now.adding(seconds: 60)).utf8
        )
    }

    private func request(_ token: [UInt8], right: AccessRight = .listen) -> AccessRequest {
        AccessRequest(
            authorization: token,
            host: "h",
            path: "/news/x",
            hub: hub,
            right: right
        )
    }

    private var uses: [Timestamp?] {
        [rule.primaryUse, rule.secondaryUse, root.primaryUse, root.secondaryUse].map(\.last)
    }

    @Test("are told by the hour, of the key that signed")
    func signed() throws {
        #expect(uses == [nil, nil, nil, nil])
        _ = try policies.authorize(request(token("2")), now: Self.now)
        #expect(uses == [nil, Self.hour, nil, nil])
        _ = try policies.authorize(request(token("3")), now: Self.now)
        #expect(uses == [nil, Self.hour, Self.hour, nil])
        let device = token("1")
        _ = try policies.authorizeDevice(token: device.span, hub: hub, now: Self.now)
        #expect(rule.primaryUse.last(.device) == Self.hour && rule.primaryUse.last(.request) == nil)
        var administration = NamespaceAccessRequest(
            authorization: token("4", audience: "https://h/"),
            host: "h",
            path: "/",
            hub: nil,
            right: .manage,
            isOpenToHub: false
        )
        administration.isUse = false
        _ = try policies.authorizeNamespace(administration, now: Self.now)
        #expect(uses == [Self.hour, Self.hour, Self.hour, nil])
        administration.isUse = true
        _ = try policies.authorizeNamespace(administration, now: Self.now)
        #expect(uses == [Self.hour, Self.hour, Self.hour, Self.hour])
    }

    @Test("come of a token that was checked before, too")
    func cached() throws {
        let checked = try policies.verify(token("1"), hub: hub, now: Self.now)
        #expect(uses[0] == nil)
        _ = try policies.authorize(request(token("1")), with: checked, now: Self.now)
        #expect(uses[0] == Self.hour)
    }

    @Test("do not come of what was refused")
    func refused() {
        for (sent, right) in [
            (token("5"), AccessRight.listen), (token("1"), .send),
            (token("1", audience: "https://h/other"), .listen),
        ] {
            #expect(throws: Refusal.self) {
                try policies.authorize(request(sent, right: right), now: Self.now)
            }
        }
        #expect(uses == [nil, nil, nil, nil])
    }

    @Test("only move on, at the full hour")
    func order() {
        let use = KeyUse()
        use.mark(.request, at: Self.now)
        use.mark(.request, at: Timestamp(milliseconds: Self.hour.milliseconds - 1))
        #expect(use.last == Self.hour)
        let next = Timestamp(milliseconds: Self.hour.milliseconds + 3_600_000)
        use.mark(.request, at: Timestamp(milliseconds: next.milliseconds - 1))
        #expect(use.last == Self.hour)
        use.mark(.device, at: next)
        #expect(use.last == next && use.last(.request) == Self.hour)
    }

    @Test("stay with a key, and begin anew with a new one")
    func renewed() throws {
        rule.primaryUse.mark(.request, at: Self.now)
        rule.secondaryUse.mark(.request, at: Self.now)
        var description = HubDescription(
            name: hub,
            rules: [HubRule(rule, created: Self.now, modified: Self.now)],
            metadata: "",
            created: Self.now,
            modified: Self.now
        )
        description = try description.renewing(.secondary, ofRule: "r", now: Self.now) { "new" }
        let changed = description.rules[0].rule
        #expect(changed.primaryUse.last == Self.hour && changed.secondaryUse.last == nil)
        changed.secondaryUse.mark(.device, at: Self.now)
        let definition = HubDefinition(rules: [.init(name: "r", rights: [.listen, .send])])
        let kept = try description.updated(by: definition, now: Self.now) { "newer" }.rules[0].rule
        #expect(kept.secondaryUse.last == Self.hour && kept.primaryUse.last == Self.hour)
    }
}
