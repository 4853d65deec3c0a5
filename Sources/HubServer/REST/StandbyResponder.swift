import Foundation
import HubCluster
import Hummingbird

/// Answers 503 while another node leads, and says which one.
struct StandbyResponder: HTTPResponder {
    typealias Context = RESTContext

    /// Who leads, as last heard.
    let leader: @Sendable () -> LeadRow?

    /// A look at the lead later, another may be here.
    private static let retrySeconds = 1

    private struct Report: Encodable {
        struct Leader: Encodable {
            var address: String
            var node: String
        }

        var hubs = 0
        var leader: Leader?
        var problems = ["another node leads"]
        var status = "standby"
    }

    func respond(to request: Request, context: RESTContext) async throws -> Response {
        let row = leader()
        var headers: HTTPFields = [.retryAfter: "\(Self.retrySeconds)"]
        if request.uri.path == "/healthz" {
            var report = Report()
            report.leader = row.map { Report.Leader(address: $0.address, node: $0.node) }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            headers[.contentType] = "application/json; charset=utf-8"
            return Response(
                status: .serviceUnavailable,
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(report)))
            )
        }
        headers[.contentType] = "application/xml; charset=utf-8"
        // No name of a node: the caller may be anyone.
        let text = """
            <Error><Code>503</Code><Detail>This node is a standby. Another one leads the hubs: repeat \
            the request there.</Detail></Error>
            """
        return Response(
            status: .serviceUnavailable,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
