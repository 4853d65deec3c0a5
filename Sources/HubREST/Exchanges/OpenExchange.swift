import HubRules

/// A request that needs no token; some have a signed address instead.
struct OpenExchange: Sendable {
    /// Whom to ask.
    let service: any HubService
    /// Limits and names of the edge.
    let configuration: RESTConfiguration
    /// The request's head.
    let incoming: IncomingRequest
    /// The path it was found under.
    let path: PathPattern

    /// The decoded segment that the path's pattern names in braces; the pattern must have it.
    func parameter(_ name: String) -> [UInt8] {
        guard let place = path.place(of: name) else {
            preconditionFailure("\(path) has no {\(name)}.")
        }
        return incoming.target.segments[place]
    }
}
