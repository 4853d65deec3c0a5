/// The result of one scenario, or of a rule that no scenario plays.
package struct Finding: Equatable, Sendable {
    /// The end of a scenario.
    package enum Verdict: Equatable, Sendable {
        case kept
        case broken(expected: String, came: String)
        case notPlayed(why: String)
    }

    /// The scenario's name, or the rule's label.
    package var name: String
    /// The rules that it is about.
    package var rules: [String]
    /// Its end.
    package var verdict: Verdict

    init(_ name: String, _ rules: [String], _ verdict: Verdict) {
        self.name = name
        self.rules = rules
        self.verdict = verdict
    }

    /// Whether the peer broke a rule.
    package var isBroken: Bool {
        if case .broken = verdict { true } else { false }
    }

    /// The lines for people.
    package var lines: [String] {
        let labels = rules.map { "[\($0)]" }.joined(separator: " ")
        switch verdict {
        case .kept: return ["kept        \(name) \(labels)"]
        case .notPlayed(let why): return ["not played  \(name) \(labels)", "    \(why)"]
        case .broken(let expected, let came):
            return [
                "BROKEN      \(name) \(labels)", "    expected: \(expected)",
                "    came:     \(came)",
            ]
        }
    }
}

extension Finding: Encodable {
    private enum CodingKeys: String, CodingKey {
        case name, rules, verdict, expected, came, why
    }

    /// One object: `verdict` is `kept`, `broken` or `not played`.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(rules, forKey: .rules)
        switch verdict {
        case .kept: try members.encode("kept", forKey: .verdict)
        case .broken(let expected, let came):
            try members.encode("broken", forKey: .verdict)
            try members.encode(expected, forKey: .expected)
            try members.encode(came, forKey: .came)
        case .notPlayed(let why):
            try members.encode("not played", forKey: .verdict)
            try members.encode(why, forKey: .why)
        }
    }
}
