import Foundation

/// What a reader elsewhere could not use.
enum TextRule {
    /// Paths of the machine that a line was written on; put together here, so that this file passes.
    static let foreignWords = [
        "/wo" + "rk/", "/tmp/" + "bash_jobs", "../sha" + "red", "/ho" + "me/", "/ro" + "ot/",
    ]

    static func foreignWords(in text: String, file: String) -> [Finding] {
        // Most texts have none; to look at each line takes long.
        let bytes = Data(text.utf8)
        guard foreignWords.contains(where: { bytes.range(of: Data($0.utf8)) != nil }) else {
            return []
        }
        var findings: [Finding] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            for word in foreignWords where line.contains(word) {
                findings.append(Finding(file: file, line: index + 1, message: "names '\(word)'"))
            }
        }
        return findings
    }

    /// A task left in a comment names who has it: `TODO(name)`.
    static func unownedTasks(_ file: SourceFile) -> [Finding] {
        var findings: [Finding] = []
        for token in file.tokens where token.kind == .comment || token.kind == .documentation {
            for word in ["TO" + "DO", "FIX" + "ME", "XX" + "X"] {
                var rest = Substring(token.text)
                while let range = rest.firstRange(of: word) {
                    let before = rest[..<range.lowerBound].last
                    rest = rest[range.upperBound...]
                    if before?.isLetter ?? false || rest.first?.isLetter ?? false { continue }
                    let owner = rest.hasPrefix("(") ? rest.dropFirst().prefix { $0 != ")" } : ""
                    if owner.isEmpty {
                        findings.append(file.finding(token.line, "\(word) names nobody"))
                    }
                }
            }
        }
        return findings
    }

    /// A `try?` says beside it why the reason may be lost.
    static func silentTries(_ file: SourceFile) -> [Offence] {
        let comments = file.tokens.filter { $0.kind == .comment || $0.kind == .documentation }
        let told = Set(comments.flatMap { [$0.line - 1, $0.line, $0.line + 1] })
        return file.code.indices.dropLast().filter { index in
            file.code[index].text == "try" && file.code[index + 1].text == "?"
                && !told.contains(file.code[index].line)
        }.map { index in
            let place = file.finding(file.code[index].line, "'try?' without a reason beside it")
            return Offence(key: file.base, place: place)
        }
    }
}
