/// A test that a table of cases can name.
struct CaseTest: Equatable {
    /// As `swift test --filter` takes it: the file's name, and the function's.
    let place: String
    /// The cases with whose numbers its name begins.
    let cases: [Int]
    let file: String
    let line: Int
}

/// A table of cases names tests that are there, and all that say a case's number.
enum CaseRule {
    /// The tests of a file, in order.
    static func tests(_ file: SourceFile) -> [CaseTest] {
        let suite = file.base.prefix { $0 != "." }
        return file.code.indices.compactMap { index in
            guard file.code[index].text == "@Test",
                let word = file.code[index...].firstIndex(where: { $0.text == "func" }),
                word + 1 < file.code.count
            else { return nil }
            let title = file.code[index..<word].first { $0.kind == .string }?.text ?? ""
            return CaseTest(
                place: "\(suite)/\(file.code[word + 1].text)",
                cases: cases(title),
                file: file.name,
                line: file.code[index].line
            )
        }
    }

    /// The numbers in front of a title's colon: `40, 41: …` and `81–83: …`.
    private static func cases(_ title: String) -> [Int] {
        guard let end = title.firstIndex(of: ":") else { return [] }
        let parts = title[..<end].split(separator: ",").map { $0.filter { $0 != " " } }
        var found: [Int] = []
        for part in parts {
            let bounds = part.split(separator: "–").map { Int($0) }
            guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, first <= last
            else { return [] }
            found += first...last
        }
        return found
    }

    /// Rows without a test must say that they are left out.
    static func check(_ text: String, named name: String, tests: [CaseTest]) -> [Finding] {
        let rows = MarkdownTable.rows(of: text, header: ["case", "given", "expected", "shown by"])
        let known = Set(tests.map(\.place))
        var findings: [Finding] = []
        var named: [Int: [String]] = [:]
        for row in rows {
            func add(_ message: String) {
                findings.append(Finding(file: name, line: row.line, message: message))
            }
            guard row.cells.count == 4, let number = Int(row.cells[0]) else {
                add("is no case")
                continue
            }
            let places = row.codes(3)
            named[number] = places
            if places.isEmpty, !row.cells[2].hasPrefix("left out") { add("no test shows it") }
            for place in places where !known.contains(place) { add("\(place) is no test") }
        }
        for test in tests {
            for number in test.cases where named[number]?.contains(test.place) != true {
                findings.append(
                    Finding(
                        file: test.file,
                        line: test.line,
                        message: "case \(number) of \(name) does not name \(test.place)"
                    )
                )
            }
        }
        return findings
    }
}
