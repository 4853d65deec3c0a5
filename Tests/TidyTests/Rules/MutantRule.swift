/// A mistake in `Tests/Mutants` says who notices it, and its hunks are found in the tree.
enum MutantRule {
    static func check(
        _ patch: String,
        named name: String,
        text: (String) -> String?
    ) -> [Finding] {
        let lines = patch.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var findings: [Finding] = []
        func add(_ line: Int, _ message: String) {
            findings.append(Finding(file: name, line: line, message: message))
        }
        if !lines.contains(where: { $0.hasPrefix("Noticed by: ") && $0.hasSuffix(".") }) {
            add(1, "nothing says who notices it")
        }
        var file: String?
        var hunks = 0
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("--- a/") { file = text(String(line.dropFirst(6))) }
            guard line.hasPrefix("@@ ") else { continue }
            hunks += 1
            let hunk = lines[(index + 1)...].prefix {
                !$0.hasPrefix("@@ ") && !$0.hasPrefix("--- ")
            }
            let old = hunk.filter { $0.hasPrefix(" ") || $0.hasPrefix("-") }.map { $0.dropFirst() }
            if file?.contains(old.joined(separator: "\n") + "\n") != true {
                add(index + 1, "no longer applies")
            }
        }
        if hunks == 0 { add(1, "changes nothing") }
        return findings
    }
}
