package import HubDirectory
package import HubVocabulary

/// The hub that a bulk job works on.
package protocol JobHub: Sendable {
    /// Hands a request to the hub; the reply comes once, on any thread.
    func submit<Request: HubRequest>(
        _ request: Request,
        reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    )
}
