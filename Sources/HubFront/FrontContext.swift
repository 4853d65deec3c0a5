package import HubREST
package import NIOCore

/// A request's context that knows its client's address.
package protocol FrontContext: ConnectionContext {
    /// The request's connection, or its stream of HTTP/2.
    var channel: any Channel { get }
    /// Numeric; nil for a client that has none.
    var clientAddress: String? { get }
}
