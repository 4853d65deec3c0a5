/// Chooses scenarios, plays them one after another, and collects what came of them.
struct Playbill {
    /// Labels of rules, or names of scenarios or of their families; empty for all.
    var only: [String]
    /// Whether scenarios that take long are played too.
    var isPatient: Bool
    /// Hears each finding at once.
    var hear: (Finding) -> Void

    /// Plays what is chosen.
    func play<Stage>(
        _ scenarios: [Scenario<Stage>],
        on stage: () throws(KitFault) -> Stage
    ) throws(KitFault) -> [Finding] {
        var findings: [Finding] = []
        for scenario in scenarios where isChosen(scenario.name, scenario.rules) {
            let verdict = try verdict(of: scenario, on: stage)
            let finding = Finding(scenario.name, scenario.rules, verdict)
            hear(finding)
            findings.append(finding)
        }
        return findings
    }

    private func verdict<Stage>(
        of scenario: Scenario<Stage>,
        on stage: () throws(KitFault) -> Stage
    ) throws(KitFault) -> Finding.Verdict {
        guard isPatient || scenario.seconds < Scenario<Stage>.secondsPatient else {
            return .notPlayed(why: "takes \(scenario.seconds) s: add --slow")
        }
        do throws(KitFault) {
            try scenario.play(try stage())
            return .kept
        } catch {
            switch error {
            case .broken(let expected, let came): return .broken(expected: expected, came: came)
            case .notPlayed(let why): return .notPlayed(why: why)
            case .setup: throw error
            }
        }
    }

    func isChosen(_ name: String, _ rules: [String]) -> Bool {
        only.isEmpty
            || only.contains { wanted in
                name == wanted || rules.contains(wanted) || name.hasPrefix(wanted + "/")
            }
    }
}
