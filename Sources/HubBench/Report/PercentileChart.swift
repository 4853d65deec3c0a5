import Glibc

/// Percentile curves as SVG: to the right the share that is faster, each step ten times rarer; up the
/// time, logarithmic.
struct PercentileChart {
    private static let width = 860.0
    private static let height = 300.0
    private static let left = 70.0
    private static let bottom = 40.0
    private static let top = 12.0
    private static let colours = 6

    private let latencies: [BenchLatency]
    private let lowest: Double
    private let highest: Double
    /// How many nines the chart has room for.
    private let nines: Double

    /// A chart of curves with two points at least.
    init(_ latencies: [BenchLatency]) {
        self.latencies = latencies
        let values = latencies.flatMap { $0.curve.map(\.microseconds) }.filter { $0 > 0 }
        lowest = pow(10, log10(values.min() ?? 1).rounded(.down))
        highest = max(lowest * 10, pow(10, log10(values.max() ?? 10).rounded(.up)))
        let rarest = latencies.map(\.count).max() ?? 10
        nines = max(1, log10(Double(max(10, rarest))).rounded(.up))
    }

    /// The picture, with a legend below.
    var svg: String {
        let legend = Double(latencies.count) * 16
        let size = "0 0 \(Self.text(Self.width)) \(Self.text(Self.height + legend))"
        var svg = "<svg viewBox=\"\(size)\" role=\"img\" aria-label=\"percentiles\">\n"
        svg += grid
        for (number, latency) in latencies.enumerated() {
            let colour = "var(--c\(number % Self.colours))"
            let points = latency.curve.map { point in
                "\(Self.text(x(point.percentile))),\(Self.text(y(point.microseconds)))"
            }
            svg += "<polyline stroke=\"\(colour)\" points=\"\(points.joined(separator: " "))\"/>\n"
            let line = Self.height + Double(number) * 16 + 4
            svg += "<line x1=\"\(Self.text(Self.left))\" x2=\"\(Self.text(Self.left + 20))\" "
            svg += "y1=\"\(Self.text(line - 4))\" y2=\"\(Self.text(line - 4))\" "
            svg += "stroke=\"\(colour)\" stroke-width=\"2\"/>"
            svg += label(Self.left + 26, line, BenchPage.escaped(latency.name), "start")
        }
        return svg + "</svg>\n"
    }

    private var grid: String {
        var svg = ""
        var value = lowest
        while value <= highest * 1.001 {
            let line = y(value)
            svg += rule(Self.left, line, Self.width - 10, line)
            svg += label(Self.left - 6, line + 4, Self.duration(value), "end")
            value *= 10
        }
        var share = 0.0
        while share <= nines {
            let percentile = 100 - 100 / pow(10, share)
            let line = x(percentile)
            svg += rule(line, Self.top, line, Self.height - Self.bottom)
            let digits = max(0, Int(share) - 2)
            let text = BenchText.rounded(percentile, digits: digits) + " %"
            svg += label(line, Self.height - Self.bottom + 16, text, "middle")
            share += 1
        }
        return svg
    }

    private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        "<line class=\"grid\" x1=\"\(Self.text(x1))\" y1=\"\(Self.text(y1))\" "
            + "x2=\"\(Self.text(x2))\" y2=\"\(Self.text(y2))\"/>\n"
    }

    private func label(_ x: Double, _ y: Double, _ text: String, _ anchor: String) -> String {
        "<text x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" text-anchor=\"\(anchor)\">\(text)</text>\n"
    }

    private func x(_ percentile: Double) -> Double {
        let share = percentile >= 100 ? nines : min(nines, -log10(1 - percentile / 100))
        return Self.left + share / nines * (Self.width - 40 - Self.left)
    }

    private func y(_ microseconds: Double) -> Double {
        let share = log10(max(microseconds, lowest) / lowest) / log10(highest / lowest)
        return Self.height - Self.bottom - share * (Self.height - Self.bottom - Self.top)
    }

    private static func duration(_ microseconds: Double) -> String {
        switch microseconds {
        case ..<1: "\(BenchText.rounded(microseconds * 1_000, digits: 0)) ns"
        case ..<1_000: "\(BenchText.rounded(microseconds, digits: 0)) µs"
        case ..<1_000_000: "\(BenchText.rounded(microseconds / 1_000, digits: 0)) ms"
        default: "\(BenchText.rounded(microseconds / 1_000_000, digits: 0)) s"
        }
    }

    private static func text(_ value: Double) -> String { BenchText.rounded(value, digits: 1) }
}
