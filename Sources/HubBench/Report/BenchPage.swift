/// Reports as one HTML file that needs nothing else: no scripts, no network, light and dark.
package struct BenchPage: Sendable {
    private let reports: [BenchReport]

    /// A page of these reports, in their order.
    package init(_ reports: [BenchReport]) { self.reports = reports }

    /// The page.
    package var html: String {
        var page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Belfry benchmarks</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <h1>Belfry benchmarks</h1>

            """
        for report in reports { page += section(report) }
        return page + "</body>\n</html>\n"
    }

    private func section(_ report: BenchReport) -> String {
        let environment = report.environment
        let facts = [
            "commit \(environment.commit ?? "unknown")",
            "\(environment.processors) × \(environment.processor)",
            "kernel \(environment.kernel)", "records \(environment.records)",
            "submission \(environment.submission)", environment.time,
            environment.load.map { "load \(BenchText.rounded($0, digits: 2))" },
            environment.isOptimized ? nil : "not a release build",
        ].compactMap { $0 }
        let settings = report.settings.sorted { $0.key < $1.key }.map { "--\($0.key) \($0.value)" }
        var text = "<section>\n<h2>\(Self.escaped(report.scenario))</h2>\n"
        text += "<p class=\"facts\">\(Self.escaped(facts.joined(separator: " · ")))</p>\n"
        text += "<p class=\"facts\"><code>\(Self.escaped(settings.joined(separator: " ")))"
        text += "</code></p>\n"
        let isExact = report.isExact
        let counts = report.counts
        text += "<p class=\"\(isExact ? "good" : "bad")\">"
        text += "\(counts.delivered) of \(counts.expected) deliveries, \(counts.lost) lost, "
        text += "\(counts.duplicated) duplicated, \(counts.misrouted) misrouted, "
        text += "\(counts.sendsFailed) requests failed</p>\n"
        for fault in report.faults { text += "<p class=\"bad\">\(Self.escaped(fault))</p>\n" }
        text += table(report)
        let curves = report.latencies.filter { $0.count > 0 && $0.curve.count > 1 }
        if !curves.isEmpty { text += PercentileChart(curves).svg }
        return text + "</section>\n"
    }

    private func table(_ report: BenchReport) -> String {
        var text = "<table>\n<tr><th>what</th><th>median</th><th>least</th><th>most</th>"
        text += "<th>unit</th></tr>\n"
        for metric in report.metrics {
            text += "<tr><td>\(Self.escaped(metric.name))</td>"
            for value in [metric.median, metric.least, metric.most] {
                text += "<td class=\"number\">\(BenchText.number(value))</td>"
            }
            text += "<td>\(Self.escaped(metric.unit))</td></tr>\n"
        }
        for latency in report.latencies where latency.count > 0 {
            text += "<tr><td>\(Self.escaped(latency.name)), p50, p99, longest</td>"
            for value in [latency.p50, latency.p99, latency.max] {
                text += "<td class=\"number\">\(BenchText.number(value / 1_000))</td>"
            }
            text += "<td>ms</td></tr>\n"
        }
        return text + "</table>\n"
    }

    /// Text as it may stand in HTML and in quoted attributes.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
    }

    private static let style = """
        :root{color-scheme:light dark;--ink:#1c2330;--faint:#5d6878;--line:#d5dae2;--paper:#fff;\
        --c0:#1f6feb;--c1:#c2410c;--c2:#15803d;--c3:#9333ea;--c4:#0e7490;--c5:#b91c1c}
        @media(prefers-color-scheme:dark){:root{--ink:#e3e8f0;--faint:#98a3b5;--line:#343d4c;\
        --paper:#12161d;--c0:#6ea8fe;--c1:#fb923c;--c2:#4ade80;--c3:#c084fc;--c4:#22d3ee;--c5:#f87171}}
        body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);\
        max-width:60rem;margin:2rem auto;padding:0 1rem}
        section{border-top:1px solid var(--line);margin-top:2rem}
        .facts{color:var(--faint);margin:.2rem 0}
        .bad{color:var(--c5);font-weight:600}
        .good{color:var(--c2)}
        table{border-collapse:collapse;width:100%;margin:1rem 0}
        th,td{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line)}
        .number{text-align:right;font-variant-numeric:tabular-nums}
        svg{width:100%;height:auto}
        svg text{fill:var(--faint);font-size:11px}
        svg .grid{stroke:var(--line)}
        svg polyline{fill:none;stroke-width:1.8}
        """
}
