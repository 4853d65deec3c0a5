import HubDirectory
import HubModel
import HubRules
import HubVocabulary

/// One authorised request on its way through a route.
struct Exchange: Sendable {
    /// Whom to ask.
    let service: any HubService
    /// Limits and names of the edge.
    let configuration: RESTConfiguration
    /// The request's head.
    let incoming: IncomingRequest
    /// The path it was found under.
    let path: PathPattern
    /// The hub that it is about.
    let hub: HubName
    /// The rights of its token.
    var grant: AccessGrant
    /// How the request is traced; nil when it is not.
    var trace: RequestTrace?
    /// The whole body; empty when the row ignores it.
    var body: [UInt8] = []

    /// The same hub for lists that are gathered from parts.
    var asking: HubAsking { HubAsking(service: service, hub: hub) }

    /// Hands the one request of a route to the hub and waits for the durable reply.
    func submit<Request: HubRequest>(
        _ request: Request
    ) async throws(RequestFailure) -> Request.Reply {
        try await asking.submit(request)
    }

    /// Entries of a page of a list: `$top`, or the usual number.
    ///
    /// Source: REST §4.8.
    func pageLimit() throws(RequestFailure) -> Int {
        let asked = try incoming.target.number("$top", atLeast: 1)
        return min(asked ?? configuration.pageDefault, configuration.pageMax)
    }

    /// The decoded segment that the path's pattern names in braces; the pattern must have it.
    func parameter(_ name: String) -> [UInt8] {
        guard let place = path.place(of: name) else {
            preconditionFailure("\(path) has no {\(name)}.")
        }
        return incoming.target.segments[place]
    }

    /// The address of what a POST to a collection made: the request's own path and query.
    ///
    /// Source: REST §4.3, §8.1.
    func location(of id: String) -> String {
        incoming.url(path: "\(incoming.target.path)/\(id)", query: incoming.target.query())
    }
}

/// Runs what the core may refuse, as a part of a route.
func refusing<Value>(
    _ body: () throws(Refusal) -> Value
) throws(RequestFailure) -> Value {
    do throws(Refusal) {
        return try body()
    } catch {
        throw .refused(error)
    }
}
