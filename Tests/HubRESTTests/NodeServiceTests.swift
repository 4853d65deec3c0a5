import HTTPTypes
import HubModel
import HubREST
import HubRules
import HubVocabulary
import Hummingbird
import Testing

@Suite("A node without hubs")
struct NodeServiceTests {
    /// Lets everyone do everything.
    private struct Node: NodeService {
        private static var grant: AccessGrant {
            AccessGrant(rule: "root", rights: AccessRight.allCases)
        }

        func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant { Self.grant }

        func authorizeNamespace(
            _ request: NamespaceAccessRequest
        ) throws(Refusal) -> AccessGrant {
            Self.grant
        }

        func metrics(reply: @escaping @Sendable (String) -> Void) { reply("numbers") }

        func cluster() async -> ClusterReport? { nil }

        var description: ServerDescription { FakeNamespace.server }

        var now: Timestamp { FakeHub.time }

        var problems: [HubProblem] { [] }
    }

    @Test("answers about itself, and knows no path that is about a hub")
    func own() async throws {
        let responder = HubResponder<BasicRequestContext>(
            node: Node(),
            configuration: RESTConfiguration(externalHost: "hubs.example.net:8443")
        )
        for row in RouteTable.rows {
            let query = row.sampleQuery.isEmpty ? "" : "?\(row.sampleQuery)"
            let method = try #require(HTTPRequest.Method(row.method))
            let request = Request(
                head: HTTPRequest(
                    method: method,
                    scheme: "https",
                    authority: "localhost",
                    path: row.samplePath + query
                ),
                body: RequestBody(buffer: ByteBuffer())
            )
            #expect(responder.opens(request), "\(row.name)")
            let context = BasicRequestContext(source: RESTHarness.source())
            let answer = try await responder.respond(to: request, context: context)
            #expect(answer.status.code == (row.isOfNode ? 200 : 404), "\(row.name)")
        }
        #expect(
            Set(RouteTable.rows.filter(\.isOfNode).map(\.name))
                == ["health", "describe", "metrics", "describeServer", "describeCluster"]
        )
    }
}
