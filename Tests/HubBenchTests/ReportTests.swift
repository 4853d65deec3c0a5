import Testing

@testable import HubBench

@Suite("Reports of benchmarks")
struct ReportTests {
    static let environment = BenchEnvironment(
        commit: "0123456",
        processor: "A <fast> one",
        processors: 2,
        kernel: "6.18",
        records: "openssl",
        submission: "ring",
        isOptimized: true,
        load: 0.5,
        time: "2026-05-06T18:30:00Z"
    )

    static func turn(_ cost: Double, _ milliseconds: [UInt64] = []) -> BenchTurn {
        var turn = BenchTurn()
        turn.read("cost", cost, "µs", .less)
        turn.read("missing", nil, "µs", .less)
        var sample = LatencySample("send to receipt")
        for value in milliseconds { sample.record(nanoseconds: value * 1_000_000) }
        turn.latencies = [sample]
        turn.counts.expected = 5
        turn.counts.delivered = 5
        return turn
    }

    static func report(_ turns: [BenchTurn]) -> BenchReport {
        BenchReport(
            scenario: "fanout",
            settings: ["devices": "5"],
            environment: environment,
            turns: turns
        )
    }

    @Test(
        "have the middle of the turns, the lowest and the highest",
        arguments: [
            ([3.0], 3.0, 3.0, 3.0), ([9, 1, 5], 5, 1, 9), ([4, 8, 2, 6], 5, 2, 8),
        ] as [([Double], Double, Double, Double)]
    )
    func medians(values: [Double], median: Double, least: Double, most: Double) throws {
        let report = Self.report(values.map { Self.turn($0) })
        let metric = try #require(report.metrics.first)
        #expect(report.metrics.count == 1, "what could not be read is left out")
        #expect(metric.median == median && metric.least == least && metric.most == most)
        #expect(metric.values == values)
        #expect(report.counts.expected == 5 * values.count)
    }

    @Test("have percentiles of all turns together, to three digits")
    func percentiles() throws {
        let first = Self.turn(1, (1...900).map { $0 })
        let second = Self.turn(1, (901...1_000).map { $0 })
        let latency = try #require(Self.report([first, second]).latencies.first)
        #expect(latency.count == 1_000)
        for (seen, wanted) in [
            (latency.p50, 500_000.0), (latency.p90, 900_000), (latency.p99, 990_000),
            (latency.p999, 999_000), (latency.max, 1_000_000),
        ] {
            #expect(abs(seen - wanted) <= wanted / 1_000, "\(seen), not \(wanted)")
        }
        let curve = latency.curve.map(\.microseconds)
        #expect(curve == curve.sorted() && curve.count > 10)
        #expect(latency.curve.last?.percentile == 100)
    }

    @Test("an hour is the longest time, and longer ones count as an hour")
    func longest() {
        var sample = LatencySample("a")
        sample.record(nanoseconds: .max)
        sample.record(nanoseconds: LatencySample.nanosecondsMax)
        let latency = BenchLatency(sample)
        #expect(latency.count == 2)
        #expect(abs(latency.max - 3.6e9) < 3.6e6)
    }

    @Test("a fault, a loss or a refused request makes them fail")
    func failures() {
        #expect(Self.report([Self.turn(1)]).isExact)
        for change: (inout BenchTurn) -> Void in [
            { $0.counts.lost = 1 }, { $0.counts.duplicated = 1 }, { $0.counts.misrouted = 1 },
            { $0.counts.sendsFailed = 1 }, { $0.faults = ["a connection ended"] },
        ] {
            var turn = Self.turn(1)
            change(&turn)
            let report = Self.report([Self.turn(1), turn])
            #expect(!report.isExact)
            #expect(BenchText.lines(of: report).last?.contains("FAILED") == true)
        }
    }

    @Test(
        "numbers have as many digits as say something",
        arguments: [
            (0.0123, "0.012"), (1.5, "1.50"), (12.345, "12.35"), (123.45, "123.5"),
            (1_234_567, "1,234,567"), (-1_000, "-1,000"), (0, "0.000"), (7, "7"),
            (.infinity, "n/a"),
        ] as [(Double, String)]
    )
    func numbers(value: Double, text: String) {
        #expect(BenchText.number(value) == text)
    }
}
