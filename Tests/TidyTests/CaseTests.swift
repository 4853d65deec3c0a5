import Testing

/// The table of the relays' cases and the tests that it names.
@Suite("Cases")
struct CaseTests {
    private static let document = "Tests/HubRelayTests/CASES.md"

    @Test("each case of the relays names tests that are there, or says that it is left out")
    func relays() {
        let text = Repository.document(Self.document)
        let rows = MarkdownTable.rows(of: text, header: ["case", "given", "expected", "shown by"])
        #expect(rows.compactMap { $0.cells.first.flatMap { Int($0) } } == Array(1...114))
        let tests = Repository.swift(below: "Tests").flatMap(CaseRule.tests)
        #expect(tests.count > 1_000)
        expectNone(CaseRule.check(text, named: Self.document, tests: tests))
    }

    @Test("the rule of cases sees a test that is missing, a bare row, and a row without its test")
    func canFail() {
        let file = SourceFile(
            name: "Tests/ATests/LaneTests.swift",
            text: """
                @Test("1, 3–4: it works", arguments: ["x: y"])
                func works() {}
                @Test func bare() {}
                @Test("plain: no number") func plain() {}
                """,
            language: .swift
        )
        let tests = CaseRule.tests(file)
        #expect(tests.map(\.place) == ["LaneTests/works", "LaneTests/bare", "LaneTests/plain"])
        #expect(tests.map(\.cases) == [[1, 3, 4], [], []])
        func messages(_ rows: String...) -> [String] {
            let head = "| case | given | expected | shown by |\n|---|---|---|---|\n"
            let text = head + rows.joined(separator: "\n")
            return CaseRule.check(text, named: "a.md", tests: tests)
                .map { "\($0.line): \($0.message)" }
        }
        let good = (1...4).map { "| \($0) | a | b | `LaneTests/works` |" }
        #expect(messages(good.joined(separator: "\n")) == [])
        #expect(
            messages(good[0], good[2], "| 4 | a | b | `LaneTests/gone` |", "| 5 | a | b | |") == [
                "5: LaneTests/gone is no test", "6: no test shows it",
                "1: case 4 of a.md does not name LaneTests/works",
            ]
        )
        #expect(messages(good[0], good[2], good[3], "| 5 | a | left out: no | |") == [])
    }
}
