import FoundationEssentials

/// Two runs of the same scenarios, number by number.
package struct BenchComparison: Codable, Equatable, Sendable {
    /// The judgement of a ratio.
    package enum Verdict: String, Codable, Equatable, Sendable {
        case better
        case same
        case worse
        /// There is nothing to judge: no aim, or nothing to divide by.
        case unjudged
    }

    /// One number of both runs.
    package struct Row: Codable, Equatable, Sendable {
        /// The scenario.
        package var scenario: String
        /// The number's name.
        package var name: String
        /// Its unit.
        package var unit: String
        /// The first run's median.
        package var first: Double
        /// The second run's.
        package var second: Double
        /// The second by the first; nil when the first is zero.
        package var ratio: Double?
        /// The judgement.
        package var verdict: Verdict
    }

    /// Numbers of both runs.
    package var rows: [Row] = []
    /// Numbers that only the first run has.
    package var missing: [String] = []
    /// Scenarios whose second run lost or doubled something, or had another fault.
    package var failed: [String] = []

    /// Compares the reports of two runs, those of a scenario in their order.
    ///
    /// - Parameters:
    ///   - first: the run to compare with.
    ///   - second: the run to judge.
    ///   - tolerance: 0.1 lets a number be a tenth worse, as a factor: 1.1 or 1 / 1.1.
    ///   - judgesLatencies: whether p50 and p99 of times are judged, or only shown.
    package init(
        _ first: [BenchReport],
        _ second: [BenchReport],
        tolerance: Double,
        judgesLatencies: Bool = false
    ) {
        var rest = second
        for report in first {
            guard let place = rest.firstIndex(where: { $0.scenario == report.scenario }) else {
                missing.append(report.scenario)
                continue
            }
            let other = rest.remove(at: place)
            if !other.isExact { failed.append(other.scenario) }
            compare(report, other, tolerance, judgesLatencies)
        }
    }

    /// Whether anything is worse, missing or failed.
    package var isWorse: Bool {
        !missing.isEmpty || !failed.isEmpty || rows.contains { $0.verdict == .worse }
    }

    /// The comparison for people.
    package var lines: [String] {
        var lines: [String] = []
        let widest = rows.map { $0.scenario.count + $0.name.count + 1 }.max() ?? 0
        for row in rows {
            let name = "\(row.scenario) \(row.name)"
            let ratio = row.ratio.map { BenchText.rounded($0, digits: 2) } ?? "n/a"
            let verdict = row.verdict == .unjudged ? "" : "  \(row.verdict.rawValue)"
            lines.append(
                name + String(repeating: " ", count: widest + 2 - name.count)
                    + "\(BenchText.number(row.first)) to \(BenchText.number(row.second)) "
                    + "\(row.unit)  \(ratio)" + verdict
            )
        }
        for name in missing { lines.append("\(name): only in the first") }
        for name in failed { lines.append("\(name): the second run failed") }
        return lines
    }

    /// The reports in a file that `--json` made: one, or many under `reports`.
    ///
    /// - Throws: `DecodingError`.
    package static func reports(json: [UInt8]) throws -> [BenchReport] {
        struct Many: Decodable { let reports: [BenchReport] }
        let decoder = JSONDecoder()
        let data = Data(json)
        // Input that is not many reports must be one, and its decoder says then what is wrong.
        if let many = try? decoder.decode(Many.self, from: data) { return many.reports }
        return [try decoder.decode(BenchReport.self, from: data)]
    }

    private mutating func compare(
        _ first: BenchReport,
        _ second: BenchReport,
        _ tolerance: Double,
        _ judgesLatencies: Bool
    ) {
        for metric in first.metrics {
            guard let other = second.metrics.first(where: { $0.name == metric.name }) else {
                missing.append("\(first.scenario) \(metric.name)")
                continue
            }
            add(first.scenario, metric.name, metric.unit, metric.median, other.median) { ratio in
                Self.verdict(ratio, metric.aim, tolerance)
            }
        }
        for latency in first.latencies where latency.count > 0 {
            guard let other = second.latencies.first(where: { $0.name == latency.name }) else {
                missing.append("\(first.scenario) \(latency.name)")
                continue
            }
            let aim: BenchAim = judgesLatencies ? .less : .neither
            for (name, one, two) in [
                ("p50", latency.p50, other.p50), ("p99", latency.p99, other.p99),
            ] {
                add(first.scenario, "\(latency.name), \(name)", "µs", one, two) { ratio in
                    Self.verdict(ratio, aim, tolerance)
                }
            }
        }
    }

    private mutating func add(
        _ scenario: String,
        _ name: String,
        _ unit: String,
        _ first: Double,
        _ second: Double,
        _ verdict: (Double) -> Verdict
    ) {
        let ratio = first > 0 ? second / first : nil
        rows.append(
            Row(
                scenario: scenario,
                name: name,
                unit: unit,
                first: first,
                second: second,
                ratio: ratio,
                verdict: ratio.map(verdict) ?? .unjudged
            )
        )
    }

    /// Returns the judgement of a ratio for a number with an aim.
    static func verdict(_ ratio: Double, _ aim: BenchAim, _ tolerance: Double) -> Verdict {
        let limit = 1 + tolerance
        switch aim {
        case .neither: return .unjudged
        case .less: return ratio > limit ? .worse : ratio < 1 / limit ? .better : .same
        case .more: return ratio < 1 / limit ? .worse : ratio > limit ? .better : .same
        }
    }
}
