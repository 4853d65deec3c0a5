/// Each place that ends the process stands in a table, with the reason why no stranger reaches it.
///
/// The table says how many such places a file has, so that a new one fails until it is thought about.
enum TrapRule {
    static let page = "Sources/HubModel/Hub.docc/Traps.md"

    private static let calls: Set<String> = [
        "precondition", "preconditionFailure", "fatalError", "assert", "assertionFailure", "abort",
    ]

    /// How many places of a file end the process.
    static func traps(in file: SourceFile) -> Int {
        let code = file.code
        return code.indices.dropLast().count { index in
            guard code[index].kind == .word else { return false }
            let (word, next) = (code[index].text, code[index + 1].text)
            let before = index > 0 ? code[index - 1].text : ""
            if calls.contains(word) { return next == "(" && before != "." && before != "func" }
            return ["try", "as"].contains(word) && next == "!"
                && line(of: code[index], in: file).contains(word + "!")
        }
    }

    /// Negations have a space behind the word: `try !isOpen()`.
    private static func line(of token: Token, in file: SourceFile) -> Substring {
        file.text.split(separator: "\n", omittingEmptySubsequences: false)[token.line - 1]
    }

    /// The files of a table's rows, how many traps each has, and the line that says so.
    ///
    /// A file stands between back quotes; `× 3` behind it means three of them.
    static func listed(_ text: String) -> [(name: String, count: Int, line: Int)] {
        MarkdownTable.rows(of: text, header: ["files", "why no stranger gets there"]).flatMap {
            row in
            let parts = row.cells[0].split(separator: "`", omittingEmptySubsequences: false)
            return parts.indices.filter { $0 % 2 == 1 }.map { index in
                let behind = index + 1 < parts.count ? parts[index + 1] : ""
                let digits = behind.drop { $0 != "×" }.dropFirst(2).prefix { $0.isNumber }
                return (String(parts[index]), Int(digits) ?? 1, row.line)
            }
        }
    }

    /// Compares the files of targets with the table.
    static func check(_ files: [SourceFile], _ text: String) -> [Finding] {
        var counts: [String: Int] = [:]
        for file in files {
            let count = traps(in: file)
            if count > 0 { counts[file.name] = count }
        }
        var findings: [Finding] = []
        for (name, count, line) in listed(text) {
            let found = counts.removeValue(forKey: "Sources/\(name)") ?? 0
            guard found != count else { continue }
            let message = "\(name) has \(found) places that end the process, not \(count)"
            findings.append(Finding(file: page, line: line, message: message))
        }
        for (name, count) in counts {
            let message = "\(count) places end the process, and \(page) says nothing of them"
            findings.append(Finding(file: name, line: 1, message: message))
        }
        return findings
    }
}
