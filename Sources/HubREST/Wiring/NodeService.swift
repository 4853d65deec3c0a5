package import HubModel
package import HubRules
package import HubVocabulary

/// A server as it answers about itself, whether it has hubs or carries to the node that has them.
///
/// Every method may be called from any thread. Source: Decisions/AnyNodeServes.
package protocol NodeService: Sendable {
    /// Checks a request's token against the rules of a hub and its namespace.
    ///
    /// - Throws: a 401 refusal, `.missingRight`, or `.hubNotFound` (only for a valid token of the
    ///   namespace). Source: REST reference §3.
    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant

    /// Checks the token of a request that administers the namespace.
    ///
    /// - Throws: a 401 refusal or `.missingRight`. Source: REST reference §3.5.
    func authorizeNamespace(_ request: NamespaceAccessRequest) throws(Refusal) -> AccessGrant

    /// Reads every number that the server counts; `reply` is called once, on any thread, with the
    /// text format of Prometheus.
    func metrics(reply: @escaping @Sendable (String) -> Void)

    /// Looks at the nodes of the hubs' database; nil where files hold the hubs.
    func cluster() async -> ClusterReport?

    /// The server as its operators see it.
    var description: ServerDescription { get }

    /// The present time.
    var now: Timestamp { get }

    /// Why hubs do not accept sends; empty when all of them do.
    var problems: [HubProblem] { get }
}
