import FoundationEssentials
import Testing

@testable import HubBench

@Suite("Comparing two runs")
struct ComparisonTests {
    @Test(
        "a ratio is judged by which way is better, and by the tolerance in both directions",
        arguments: [
            (1.0, .less, .same), (1.1, .less, .same), (1.11, .less, .worse), (0.9, .less, .better),
            (0.91, .less, .same), (1.0, .more, .same), (0.90, .more, .worse), (1.2, .more, .better),
            (9.0, .neither, .unjudged),
        ] as [(Double, BenchAim, BenchComparison.Verdict)]
    )
    func verdicts(ratio: Double, aim: BenchAim, verdict: BenchComparison.Verdict) {
        #expect(BenchComparison.verdict(ratio, aim, 0.1) == verdict, "\(ratio) \(aim)")
    }

    @Test("what is worse, missing or failed is told and makes it fail")
    func worse() {
        let good = ReportTests.report([ReportTests.turn(10)])
        #expect(!BenchComparison([good], [good], tolerance: 0).isWorse)
        let slow = ReportTests.report([ReportTests.turn(12)])
        let worse = BenchComparison([good], [slow], tolerance: 0.1)
        #expect(worse.isWorse && worse.rows.map(\.ratio) == [1.2])
        #expect(worse.lines.contains { $0.hasSuffix("worse") })
        #expect(!BenchComparison([good], [slow], tolerance: 0.3).isWorse)
        #expect(!BenchComparison([slow], [good], tolerance: 0.1).isWorse)
        #expect(BenchComparison([good], [], tolerance: 1).missing == ["fanout"])
        var failed = good
        failed.counts.lost = 1
        #expect(BenchComparison([good], [failed], tolerance: 1).failed == ["fanout"])
        var empty = good
        empty.metrics = []
        #expect(BenchComparison([good], [empty], tolerance: 1).missing == ["fanout cost"])
    }

    @Test("times are shown, and judged only when that is asked for")
    func latencies() {
        let first = ReportTests.report([ReportTests.turn(10, [1, 2, 3])])
        let second = ReportTests.report([ReportTests.turn(10, [10, 20, 30])])
        let shown = BenchComparison([first], [second], tolerance: 0.1)
        #expect(shown.rows.count == 3 && !shown.isWorse)
        #expect(BenchComparison([first], [second], tolerance: 0.1, judgesLatencies: true).isWorse)
    }

    @Test("nothing can be divided by zero, and reports of a scenario pair in their order")
    func pairs() {
        let zero = ReportTests.report([ReportTests.turn(0)])
        let one = ReportTests.report([ReportTests.turn(1)])
        let two = ReportTests.report([ReportTests.turn(2)])
        let comparison = BenchComparison([zero, one], [one, two], tolerance: 0.1)
        #expect(comparison.rows.map(\.ratio) == [nil, 2])
        #expect(comparison.rows.map(\.verdict) == [.unjudged, .worse])
    }

    @Test("reads one report, or many under 'reports', and nothing else")
    func reading() throws {
        let report = ReportTests.report([ReportTests.turn(10, [1, 2, 3])])
        let one = try JSONEncoder().encode(report)
        #expect(try BenchComparison.reports(json: Array(one)) == [report])
        let many = try JSONEncoder().encode(["reports": [report, report]])
        #expect(try BenchComparison.reports(json: Array(many)) == [report, report])
        for text in ["", "{}", "[]", "{\"reports\":1}"] {
            #expect(throws: (any Error).self) {
                try BenchComparison.reports(json: Array(text.utf8))
            }
        }
    }
}
