package import Hummingbird

/// A request's context that knows whether the client is still there.
package protocol ConnectionContext: RequestContext {
    /// Whether the connection, or the stream of HTTP/2, still is.
    var isConnected: Bool { get }
}

/// Without a connection there is none to lose.
extension BasicRequestContext: ConnectionContext {
    /// Always.
    package var isConnected: Bool { true }
}
