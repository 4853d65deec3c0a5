/// What breaks a rule, and by how much.
struct Offence {
    /// The type, file or document.
    let key: String
    let place: Finding
    var amount = 1
}

/// What broke a rule when the rule was made; the list may only shrink.
///
/// A line is `RULE KEY AMOUNT`; without an amount it is 1.
struct Known {
    static let file = "Tests/known"
    static let list = Known(text: Repository.document(file))

    private let entries: [String: [String: (amount: Int, line: Int)]]

    init(text: String) {
        var entries: [String: [String: (amount: Int, line: Int)]] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let words = line.split(separator: " ")
            guard words.count > 1, words[0] != "#" else { continue }
            let amount = words.count > 2 ? Int(words[2]) ?? 0 : 1
            entries[String(words[0]), default: [:]][String(words[1])] = (amount, index + 1)
        }
        self.entries = entries
    }

    /// The offences that are not known, or are worse than known, and the lines that can go.
    func judge(_ rule: String, _ offences: [Offence]) -> [Finding] {
        let known = entries[rule] ?? [:]
        let groups = Dictionary(grouping: offences, by: \.key)
        let worse = groups.flatMap { key, group in
            group.reduce(0) { $0 + $1.amount } > known[key]?.amount ?? 0 ? group.map(\.place) : []
        }
        let clean = known.filter { groups[$0.key] == nil }.map { key, entry in
            Finding(file: Self.file, line: entry.line, message: "\(rule) \(key): clean, remove it")
        }
        return (worse + clean).sorted()
    }
}
