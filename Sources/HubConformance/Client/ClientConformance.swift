/// Plays a hub against a client.
package struct ClientConformance: Sendable {
    /// The folder `Protocol`; nil leaves the vectors out.
    package var protocolFolder: String?
    /// Labels of rules or names of scenarios; empty for all.
    package var only: [String] = []
    /// Whether scenarios that take longer than ten seconds are played.
    package var isPatient = false

    /// A run of everything.
    package init() {}

    /// The names and rules of all that can be played.
    package func list() throws(KitFault) -> [(name: String, rules: [String])] {
        try scenarios().map { ($0.name, $0.rules) }
    }

    /// The labels of all rules that are played, or told why not.
    package func rules() throws(KitFault) -> Set<String> {
        let played = Set(try scenarios().flatMap(\.rules))
        return played.union(RuleList.atClient.flatMap(\.rules))
    }

    /// Plays; blocks the calling thread, and tells each finding at once.
    package func run(
        _ client: ClientUnderTest,
        hear: @escaping (Finding) -> Void
    ) throws(KitFault) -> [Finding] {
        let playbill = Playbill(only: only, isPatient: isPatient, hear: hear)
        let scenarios = try scenarios()
        let hub = KitHub(client)
        var findings = try playbill.play(scenarios) { () throws(KitFault) in hub }
        let unseen = RuleList.findings(RuleList.atClient, only: only)
        unseen.forEach(hear)
        findings += unseen
        return findings
    }

    private func scenarios() throws(KitFault) -> [Scenario<KitHub>] {
        KitSignals.ignoreBrokenPipes()
        var all = SessionScenarios.all
        if let protocolFolder {
            all += try ClientVectors.scenarios(VectorFolder(path: protocolFolder + "/vectors"))
        }
        return all + ErrorScenarios.all
    }
}
