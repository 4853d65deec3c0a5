import Foundation
import Testing

/// The console's cases, each with the test that shows it.
@Suite("Cases of the console")
struct ConsoleCaseTests {
    private static let folder = "Tests/Outside/Console/"
    private static let page = folder + "cases.md"
    private static let rows = MarkdownTable.rows(
        of: Repository.document(page),
        header: ["case", "it holds that"]
    )
    /// The functions of the script's cases.
    private static let script: Set<String> = {
        let texts = Repository.files.filter { $0.hasPrefix(folder) && $0.hasSuffix("_cases.py") }
            .map(Repository.document)
        return Set(texts.flatMap(cases))
    }()
    /// The titles of all tests.
    private static let titles = Set(
        Repository.files.filter { $0.hasPrefix("Tests/") && $0.hasSuffix("Tests.swift") }
            .map(Repository.document).flatMap(titles)
    )

    private static func titles(_ text: String) -> [String] {
        text.components(separatedBy: "@Test(").dropFirst().compactMap { part in
            let text = part.drop(while: \.isWhitespace)
            guard text.first == "\"" else { return nil }
            return String(text.dropFirst().prefix { $0 != "\"" })
        }
    }

    /// The functions behind a line that makes one a case.
    private static func cases(_ text: String) -> [String] {
        let lines = text.split(separator: "\n")
        return zip(lines, lines.dropFirst()).compactMap { line, next in
            guard line.hasPrefix("@case") || line.hasPrefix("@chromium"), next.hasPrefix("def ")
            else { return nil }
            return String(next.dropFirst(4).prefix { $0 != "(" })
        }
    }

    /// The tests that a row names and that are not there.
    private static func missing(_ row: TableRow) -> [String] {
        let isOpen = row.cells[2].hasPrefix("not ")
        let names = row.codes(2).filter { !$0.hasPrefix("make ") && !$0.contains("=") }
        if isOpen { return row.cells[2].count > 20 ? [] : ["a reason"] }
        return names.isEmpty
            ? ["a name"]
            : names.filter {
                !script.contains($0) && !titles.contains($0)
            }
    }

    @Test("each of the 90 has a test that is there, or says why it has none")
    func named() {
        let numbers = (1...90).map { "\($0)" }
        #expect(Self.rows.map { $0.cells[0] } == numbers)
        for row in Self.rows {
            #expect(Self.missing(row) == [], "\(Self.page):\(row.line)")
        }
        let open = Self.rows.count { $0.cells[2].hasPrefix("not ") }
        #expect(Repository.document(Self.page).contains("In \(open) of them nothing is shown."))
    }

    @Test("each case of the script shows one of them")
    func used() {
        #expect(Self.script.count > 30)
        let named = Set(Self.rows.flatMap { $0.codes(2) })
        #expect(Self.script.subtracting(named).sorted() == [])
    }

    @Test("a name that is not there is seen")
    func canFail() {
        func row(_ text: String) -> TableRow { TableRow(line: 1, cells: ["1", "a", text]) }
        #expect(Self.missing(row("`no_such_case`")) == ["no_such_case"])
        #expect(Self.missing(row("by hand")) == ["a name"])
        #expect(Self.missing(row("not shown")) == ["a reason"])
        #expect(
            Self.titles("@Test(\n    \"one\", arguments: 1)\n@Test(\"two\")") == ["one", "two"]
        )
        #expect(Self.missing(row("`a changed cookie opens nothing`")) == [])
        #expect(Self.cases("@case(few=True)\ndef one_of(a):\ndef two(b):\n") == ["one_of"])
    }
}
