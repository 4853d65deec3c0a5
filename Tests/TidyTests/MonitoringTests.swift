import Foundation
import Testing

@Suite("Monitoring")
struct MonitoringTests {
    private static let rules = Repository.document("Sources/Monitoring/alerts.yml")

    /// The words of a text that begin with `prefix`: letters, digits and underscores.
    private static func words(_ prefix: String, in text: String) -> Set<String> {
        let parts = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        return Set(parts.map(String.init).filter { $0.hasPrefix(prefix) && $0 != prefix })
    }

    /// The family of a series: those of a histogram have ends of their own.
    private static func family(_ series: String) -> String {
        let end = ["_bucket", "_sum", "_count"].first { series.hasSuffix("_seconds" + $0) }
        return String(series.dropLast(end?.count ?? 0))
    }

    private static let alarms = rules.split(separator: "\n").compactMap { line in
        line.contains("- alert: ") ? line.split(separator: " ").last.map(String.init) : nil
    }

    @Test("each alarm has a section of the runbook and two tests, and no other section is there")
    func sections() {
        let runbook = Repository.document("Sources/belfry/Belfry.docc/Runbook.md")
        let sections = runbook.split(separator: "\n").filter { $0.hasPrefix("## Belfry") }
        #expect(sections.map { String($0.dropFirst(3)) } == Self.alarms)
        let tests = Repository.document("Tests/Monitoring/alerts.test.yml")
        for alarm in Self.alarms {
            #expect(tests.contains("name: \(alarm) rings\n"), "\(alarm)")
            #expect(tests.contains("name: \(alarm) is silent\n"), "\(alarm)")
        }
        #expect(Self.alarms.count >= 15)
    }

    @Test("alarms, dashboard and handbook name series that a hub has")
    func series() {
        let sources =
            Repository.swift(below: "Sources/HubMetrics")
            + Repository.swift(below: "Sources/HubDelivery")
        let known = Set(
            sources.flatMap(\.code).filter { $0.kind == .string && $0.text.hasPrefix("belfry_") }
                .map(\.text)
        )
        for file in [
            "Sources/Monitoring/alerts.yml", "Sources/Monitoring/dashboard.json",
            "Sources/belfry/Belfry.docc/Runbook.md", "Sources/belfry/Belfry.docc/Operating.md",
        ] {
            let named = Self.words("belfry_", in: Repository.document(file)).map(Self.family)
            #expect(Set(named).subtracting(known).isEmpty, "\(file)")
        }
    }

    @Test("the dashboard is JSON, and each of its panels asks for something")
    func dashboard() throws {
        let text = Repository.document("Sources/Monitoring/dashboard.json")
        let whole = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let all = try #require(whole?["panels"] as? [[String: Any]])
        let panels = all.filter { $0["type"] as? String != "row" }
        #expect(panels.count == 31)
        for panel in panels {
            let targets = panel["targets"] as? [[String: Any]] ?? []
            #expect(!targets.isEmpty && targets.allSatisfy { $0["expr"] is String })
        }
    }
}
