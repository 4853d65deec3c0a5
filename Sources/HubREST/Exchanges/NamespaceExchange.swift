import HubDirectory
import HubModel
import HubRules
import HubVocabulary

/// One authorised request about the namespace's hubs.
struct NamespaceExchange: Sendable {
    /// Whom to ask.
    let service: any HubService
    /// Limits and names of the edge.
    let configuration: RESTConfiguration
    /// The request's head.
    let incoming: IncomingRequest
    /// The part of the path that names a hub; nil where the path has none.
    let name: String?
    /// The rights of its token.
    let grant: AccessGrant
    /// The whole body; empty when the row ignores it.
    var body: [UInt8] = []

    /// Hands the one change of a route to the namespace and waits until it is in force.
    func submit(_ change: NamespaceChange) async throws(RequestFailure) -> HubDescription {
        try await CommandBridge.submit(change, of: service)
    }

    /// The hub that the path names; a text that cannot name a hub names none.
    func knownHub() throws(RequestFailure) -> HubName {
        guard let hub = name.flatMap(HubName.init) else {
            throw .refused(.hubNotFound(name: String((name ?? "").prefix(64))))
        }
        return hub
    }
}
