/// A report for people who read it in a terminal.
package enum BenchText {
    /// The report, line by line.
    package static func lines(of report: BenchReport) -> [String] {
        var lines = [headline(report)]
        let widest = report.metrics.map(\.name.count).max() ?? 0
        for metric in report.metrics {
            var line = metric.name + spaces(widest + 2 - metric.name.count)
            line += number(metric.median) + (metric.unit.isEmpty ? "" : " " + metric.unit)
            if report.turns > 1 {
                line += "  (\(number(metric.least)) to \(number(metric.most)))"
            }
            lines.append("  " + line)
        }
        for latency in report.latencies where latency.count > 0 {
            let values = [
                ("p50", latency.p50), ("p90", latency.p90), ("p99", latency.p99),
                ("p99.9", latency.p999), ("max", latency.max),
            ]
            let text = values.map { "\($0) \(rounded($1 / 1_000, digits: 2))" }
            lines.append("  \(latency.name): " + text.joined(separator: ", ") + " ms")
        }
        let counts = report.counts
        if counts.expected > 0 {
            lines.append(
                "  deliveries \(counts.delivered) of \(counts.expected), lost \(counts.lost), "
                    + "duplicated \(counts.duplicated), misrouted \(counts.misrouted)"
            )
        }
        if counts.sendsFailed > 0 { lines.append("  requests failed: \(counts.sendsFailed)") }
        for fault in report.faults { lines.append("  fault: \(fault)") }
        lines.append(report.isExact ? "  result exact" : "  result FAILED")
        return lines
    }

    private static func headline(_ report: BenchReport) -> String {
        let environment = report.environment
        let turns = report.turns == 1 ? "one turn" : "medians of \(report.turns) turns"
        return "\(report.scenario): \(turns), commit \(environment.commit ?? "unknown"), "
            + "\(environment.processors) × \(environment.processor), records "
            + "\(environment.records), submission \(environment.submission)"
            + (environment.isOptimized ? "" : ", NOT a release build")
    }

    /// A number with as many digits as say something.
    package static func number(_ value: Double) -> String {
        guard value.isFinite else { return "n/a" }
        let size = abs(value)
        if size >= 1_000 || size == size.rounded() && size >= 1 { return grouped(value) }
        return rounded(value, digits: size >= 100 ? 1 : size >= 1 ? 2 : 3)
    }

    /// Whole, with commas between thousands.
    private static func grouped(_ value: Double) -> String {
        guard abs(value) < 1e15 else { return "\(value)" }
        let digits = Array(String(Int(abs(value).rounded())))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + text
    }

    /// With so many digits behind the point.
    package static func rounded(_ value: Double, digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "n/a" }
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        guard digits > 0 else { return String(scaled) }
        let fraction = String(abs(scaled) % scale)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return (scaled < 0 ? "-" : "") + "\(abs(scaled) / scale)." + zeros + fraction
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(1, count))
    }
}
