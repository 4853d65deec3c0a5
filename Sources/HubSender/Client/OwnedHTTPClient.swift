package import AsyncHTTPClient

/// An HTTP client that is shut down with its last holder: one that is forgotten open ends the process.
package final class OwnedHTTPClient: Sendable {
    /// The client.
    package let client: HTTPClient

    /// Owns a client from now on; shutting it down earlier is allowed.
    package init(_ client: HTTPClient) { self.client = client }

    deinit {
        let client = client
        // Only a second shutdown fails, and it changes nothing.
        Task.detached { try? await client.shutdown() }
    }
}
