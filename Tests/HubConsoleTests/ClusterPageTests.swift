import HubREST
import HubVocabulary
import Testing

@Suite("Nodes on the page of health")
struct ClusterPageTests {
    private static func node(_ name: String, _ standing: ClusterReport.Standing)
        -> ClusterReport.Node
    {
        ClusterReport.Node(
            name: name,
            address: "\(name).example:8443",
            release: "0.2.0",
            standing: standing,
            silence: 12_400,
            isSelf: standing == .leads
        )
    }

    private static var whole: ClusterReport {
        var report = ClusterReport(database: "postgres://db/belfry", leads: true)
        (report.term, report.leaseMilliseconds) = (3, 2_000)
        report.nodes = [node("first", .leads), node("<b>second", .standby), node("third", .silent)]
        report.nodes[1].copies = .init(behind: 7, isWarm: false, isAhead: false)
        report.standbys = ClusterReport.Standbys(
            synchronousNames: "ANY 1 (x, y)",
            connected: 2,
            synchronous: 2
        )
        return report
    }

    private func health(_ report: ClusterReport?, hub: HubName? = nil) async throws -> String {
        let world = ConsoleWorld()
        if let report { world.hub.clustered(report) }
        return try await world.get("health", try await world.browser(hub: hub)).body
    }

    @Test("say who leads, who waits, who is silent, and whom PostgreSQL has")
    func nodes() async throws {
        let page = try await health(Self.whole)
        for text in [
            "One node leads: ", "first", ", term 3", "which shows this page", "waits", "silent",
            "&lt;b&gt;second", "third.example:8443", "12 s ago",
            "7 groups behind", "2 connected, commits wait for 2 of them (ANY 1 (x, y)).",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("<b>second"))
    }

    @Test("are not shown where files hold the hubs, nor to a session of one hub")
    func hidden() async throws {
        for page in [
            try await health(nil), try await health(Self.whole, hub: ConsoleHub.news),
        ] {
            #expect(!page.contains("One node leads") && !page.contains("third.example"))
        }
    }

    @Test("say that none leads, and that the database is away, with a way out")
    func faults() async throws {
        var report = Self.whole
        report.nodes.removeFirst()
        #expect(try await health(report).contains("No node leads: requests and devices wait."))
        report.standbys?.synchronousNames = ""
        let alone = try await health(report)
        #expect(alone.contains("W40") && alone.contains("commits wait for none."))
        var away = ClusterReport(database: "postgres://db/belfry", leads: false)
        away.fault = "no answer"
        let page = try await health(away)
        #expect(page.contains("The database cannot be asked: ") && page.contains("no answer"))
        #expect(page.contains("E37") && page.contains("Look at PostgreSQL"))
    }
}
