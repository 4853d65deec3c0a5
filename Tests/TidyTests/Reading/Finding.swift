import Testing

/// One place that breaks a rule.
struct Finding: Equatable, Comparable, CustomStringConvertible {
    let file: String
    let line: Int
    let message: String

    var description: String { "\(file):\(line): \(message)" }

    static func < (one: Finding, other: Finding) -> Bool {
        (one.file, one.line, one.message) < (other.file, other.line, other.message)
    }
}

/// Fails with the places, one below the other.
func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
    guard !findings.isEmpty else { return }
    let list = findings.sorted().map { "\n  \($0)" }.joined()
    Issue.record("\(findings.count) places break the rule:\(list)", sourceLocation: sourceLocation)
}
