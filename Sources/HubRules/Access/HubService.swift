package import HubModel
package import HubVocabulary

/// The server as REST sees it: access and commands, nothing else.
///
/// Implemented by the server's wiring and by fakes in tests. Every method may be called from any
/// thread.
package protocol HubService: Sendable {
    /// Checks a request's token against the rules of a hub and its namespace.
    ///
    /// - Throws: a 401 refusal, `.missingRight`, or `.hubNotFound` (only for a valid token of the
    ///   namespace). Source: REST reference §3.
    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant

    /// Hands a command to a hub's directory; `reply` is called once, on any thread, after
    /// everything the reply says is durable.
    func submit(
        _ command: HubCommand,
        to hub: HubName,
        reply: @escaping @Sendable (Result<HubReply, Refusal>) -> Void
    )

    /// Checks the token of a request that administers the namespace.
    ///
    /// - Throws: a 401 refusal or `.missingRight`. Source: REST reference §3.5.
    func authorizeNamespace(_ request: NamespaceAccessRequest) throws(Refusal) -> AccessGrant

    /// Hands a command to the namespace; `reply` is called once, on any thread, when what it says
    /// is durable and in force.
    func submit(
        _ command: NamespaceCommand,
        reply: @escaping @Sendable (Result<NamespaceReply, Refusal>) -> Void
    )

    /// Reads every number that the server counts; `reply` is called once, on any thread, with the
    /// text format of Prometheus.
    func metrics(reply: @escaping @Sendable (String) -> Void)

    /// Who signs the links into a hub's feedback; nil when there is no such hub.
    func linkSigner(of hub: HubName) -> LinkSigner?

    /// The present time.
    var now: Timestamp { get }

    /// Whether the server can accept sends: nil when healthy, otherwise one readable line each.
    var problems: [String] { get }
}
