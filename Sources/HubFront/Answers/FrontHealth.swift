import Foundation
import Hummingbird

/// `/healthz` of a node that does not lead.
///
/// Its leader's name is told; no name of a hub is.
struct FrontHealth: Encodable {
    struct Leader: Encodable {
        var address: String
        var node: String
    }

    private var hubs = 0
    private var leader: Leader?
    private var problems: [String] = []
    private var status = "front"

    /// 200 while requests are carried, or held for a leader that may come in time; a caller that asks
    /// who leads hears that this node does not.
    static func response(
        _ leader: LeaderWatch.Leader?,
        trouble: String?,
        asksForLeader: Bool
    ) throws -> Response {
        var report = FrontHealth()
        report.leader = leader.map { Leader(address: "\($0.rest)", node: $0.node) }
        if let trouble {
            report.problems = [trouble]
            report.status = "unavailable"
        } else if asksForLeader {
            report.problems = ["another node leads"]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        if !report.problems.isEmpty { headers[.retryAfter] = "1" }
        return Response(
            status: report.problems.isEmpty ? .ok : .serviceUnavailable,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(report)))
        )
    }
}
