/// A comment that says where a rule comes from names a rule that exists.
enum CitationRule {
    /// Rules of the device link, defined as `**[F-10]**`, and sections, as `### 4.3`.
    static func linkRules(of specification: String) -> Set<String> {
        var rules: Set<String> = []
        for part in specification.split(separator: "**[").dropFirst() {
            guard let end = part.firstIndex(of: "]") else { continue }
            rules.insert("[" + part[..<end] + "]")
        }
        for line in specification.split(separator: "\n") where line.hasPrefix("##") {
            guard let number = line.split(separator: " ").dropFirst().first else { continue }
            rules.insert("§" + number.filter { $0.isNumber || $0 == "." }.trimmingDot)
        }
        return rules
    }

    /// Rules of the hub, defined as `**C.4**`, and of REST, as `**§4.14**`.
    static func hubRules(of document: String) -> Set<String> {
        let parts = document.split(separator: "**", omittingEmptySubsequences: false)
        return Set(parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) })
    }

    /// `[F-10]` and `Protocol §4.3` that the specification does not define.
    static func checkLink(_ file: SourceFile, _ rules: Set<String>) -> [Finding] {
        comments(file).flatMap { line, text in
            labels(text).union(sections(text, after: "Protocol §")).subtracting(rules)
                .map { file.finding(line, "cites \($0), which Protocol does not have") }
        }
    }

    /// `rules C.4` and `REST §4.14` that the maintainers' chapters do not define, and documents
    /// that are not here at all.
    static func checkHub(_ file: SourceFile, _ rules: Set<String>) -> [Finding] {
        comments(file).flatMap { line, text in
            let cited =
                hubCitations(text).map { ("rules \($0)", $0) }
                + ["REST §", "REST reference §"].flatMap { word in
                    sections(text, after: word).map { ("REST \($0)", $0) }
                }
                + sections(text, after: "design §").map { ("design \($0)", "") }
            return cited.filter { !rules.contains($0.1) }
                .map { file.finding(line, "cites \($0.0), which Hub.docc does not have") }
        }
    }

    /// `Decisions/NAME` without a page, and decisions by number.
    static func checkDecisions(_ file: SourceFile, _ exists: (String) -> Bool) -> [Finding] {
        comments(file).flatMap { line, text in
            let named = text.ranges(of: " Decisions/").map { range in
                "Decisions/" + text[range.upperBound...].prefix { $0.isLetter || $0.isNumber }
            }
            let missing = named.filter { !exists($0) }.map { name in
                file.finding(line, "cites \(name), which Hub.docc does not have")
            }
            let isNumbered = text.ranges(of: "decision ").contains { range in
                text[range.upperBound...].first?.isNumber ?? false
            }
            guard isNumbered else { return missing }
            return missing
                + [file.finding(line, "cites a decision by number; decisions have names")]
        }
    }

    private static func comments(_ file: SourceFile) -> [(Int, String)] {
        file.tokens.filter { $0.kind == .comment || $0.kind == .documentation }
            .map { ($0.line, $0.text) }
    }

    private static func labels(_ text: String) -> Set<String> {
        var found: Set<String> = []
        for part in text.split(separator: "[").dropFirst() {
            guard let end = part.firstIndex(of: "]") else { continue }
            let pieces = part[..<end].split(separator: "-", omittingEmptySubsequences: false)
            guard pieces.count == 2, pieces[0].count == 1, pieces[0].first?.isUppercase ?? false,
                Int(pieces[1]) != nil
            else { continue }
            found.insert("[" + part[..<end] + "]")
        }
        return found
    }

    private static func sections(_ text: String, after word: String) -> Set<String> {
        Set(
            text.ranges(of: word).map { range in
                "§" + text[range.upperBound...].prefix { $0.isNumber || $0 == "." }.trimmingDot
            }
        )
    }

    private static func hubCitations(_ text: String) -> Set<String> {
        Set(
            text.ranges(of: "rules ").compactMap { range in
                let name = text[range.upperBound...].prefix {
                    !$0.isWhitespace && $0 != "," && $0 != ";"
                }
                let parts = name.trimmingDot.split(separator: ".")
                guard let letter = parts.first,
                    ["A", "B", "C", "D", "E", "F", "G"].contains(letter)
                else { return nil }
                guard parts.count > 1 else { return String(letter) }
                let digits = parts[1].prefix { $0.isNumber }
                return digits.isEmpty ? String(letter) : "\(letter).\(digits)"
            }
        )
    }
}

extension StringProtocol {
    /// Without the dots at its end: a number at the end of a sentence.
    var trimmingDot: String {
        var text = String(self)
        while text.last == "." || text.last == ")" { text.removeLast() }
        return text
    }
}
