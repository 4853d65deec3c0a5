import HubVocabulary
import Testing

@Suite("The nodes of a database")
struct ClusterRouteTests {
    private func answer(_ report: ClusterReport?) async throws -> Reply {
        let harness = RESTHarness()
        harness.hub.change { $0.cluster = report }
        return try await harness.send(.get, "/$belfry/cluster")
    }

    @Test("are none where files hold the hubs")
    func files() async throws {
        let reply = try await answer(nil)
        #expect(reply.status == 200 && reply.body == #"{"leads":true,"nodes":[]}"#)
    }

    @Test("are told with the one that leads, and with PostgreSQL's standbys")
    func nodes() async throws {
        var report = ClusterReport(database: "postgres://db/belfry", leads: true)
        (report.term, report.leaseMilliseconds) = (3, 2_100)
        report.nodes = [
            ClusterReport.Node(
                name: "a",
                address: "10.0.0.1:8443",
                release: "0.2.0",
                standing: .leads,
                silence: 40,
                isSelf: true
            )
        ]
        report.nodes[0].copies = .init(behind: 7, isWarm: false, isAhead: true)
        report.standbys = ClusterReport.Standbys(
            synchronousNames: "one",
            connected: 2,
            synchronous: nil
        )
        let reply = try await answer(report)
        #expect(reply.status == 200)
        let node =
            #"{"address":"10.0.0.1:8443","answers":true,"groupsBehind":7,"isAhead":true,"#
            + #""isWarm":false,"node":"a","release":"0.2.0","seenMilliseconds":40,"state":"leads"}"#
        #expect(
            reply.body
                == #"{"database":"postgres://db/belfry","leads":true,"leaseMilliseconds":2100,"#
                + #""nodes":[\#(node)],"standbys":{"connected":2,"synchronousNames":"one"},"term":3}"#
        )
    }

    @Test("are not known while the database cannot be asked, and neither is the lease")
    func fault() async throws {
        var report = ClusterReport(database: "postgres://db/belfry", leads: false)
        report.fault = "it does not answer"
        let reply = try await answer(report)
        #expect(
            reply.body
                == #"{"database":"postgres://db/belfry","fault":"it does not answer","leads":false,"#
                + #""nodes":[]}"#
        )
    }
}
