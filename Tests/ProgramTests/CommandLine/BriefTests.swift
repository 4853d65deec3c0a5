import Foundation
import HubTestSupport
import Testing

@testable import ScenarioSupport

/// `Tests/brief`, which `make test` prints a run through.
@Suite("What make test prints of a run")
struct BriefTests {
    /// Passes a made-up run through it; the lines that it prints, and what its file holds then.
    private func brief(_ run: [String]) throws -> (lines: [String], log: String) {
        let folder = ScenarioFolder()
        let (said, log) = (folder.file("run"), folder.file("log"))
        try run.map { $0 + "\n" }.joined().write(toFile: said, atomically: false, encoding: .utf8)
        try "built\n".write(toFile: log, atomically: false, encoding: .utf8)
        let script = "\"$0\" \"$1\" < \"$2\""
        let arguments = ["-c", script, SourceTree.path("Tests/brief"), log, said]
        let result = try Tool.run("/bin/bash", arguments)
        #expect(result.code == 0)
        let lines = result.text.split(separator: "\n").map { line in
            String(line).replacing(folder.path + "/", with: "")
        }
        return (lines, try String(contentsOfFile: log, encoding: .utf8))
    }

    @Test("is a line for each suite, and the runner's summary at the end")
    func passes() throws {
        let run = [
            "◇ Test run started.", "◇ Suite A started.", "✔ Test \"b\" passed after 0.001 seconds.",
            "✔ Suite A passed after 0.002 seconds.",
            "✔ Test run with 1 test in 1 suite passed after 0.003 seconds.",
        ]
        let (lines, log) = try brief(run)
        #expect(lines == [run[3], "Everything that was said is in log", run[4]])
        #expect(log == "built\n" + run.map { $0 + "\n" }.joined())
    }

    @Test("is each failure with the lines of its reason, and the tests that failed once more")
    func fails() throws {
        let issue = "✘ Test \"b\" recorded an issue at B.swift:7:9: Expectation failed: 1 == 2"
        let run = [
            "◇ Suite A started.", issue, "↳ seed 7", "  ↳ and a second line", "printed by the test",
            "↳ no reason", "✘ Test \"b\" failed after 0.001 seconds with 1 issue.",
            "✘ Suite A failed after 0.002 seconds with 1 issue.",
            "✘ Test run with 1 test in 1 suite failed after 0.003 seconds with 1 issue.",
        ]
        let lines = try brief(run).lines
        #expect(
            lines == [
                issue, run[2], run[3], run[7], "Failed:", run[6],
                "Everything that was said is in log", run[8],
            ]
        )
    }

    @Test("is the last forty lines of a run that did not come to its end", arguments: [2, 50])
    func crashes(tests: Int) throws {
        let run = (1...tests).map { "◇ Test \"\($0)\" started." } + ["Fatal error: no room"]
        let lines = try brief(run).lines
        #expect(lines.first == "The tests did not come to their end; the last that they said:")
        let shown = Array(lines.dropFirst().dropLast())
        #expect(shown == Array(run.suffix(40)))
        #expect(lines.last == "Everything that was said is in log")
    }
}
