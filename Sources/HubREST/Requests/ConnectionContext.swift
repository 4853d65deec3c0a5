package import HubVocabulary
package import Hummingbird

/// A request's context that knows whether the client is still there.
package protocol ConnectionContext: RequestContext {
    /// Whether the connection, or the stream of HTTP/2, still is.
    var isConnected: Bool { get }
    /// The network of the client, as limits count it; nil for one that none counts.
    var network: DeviceID? { get }
    /// Where the request's tasks run; nil leaves it to the system.
    var executor: (any TaskExecutor)? { get }
    /// The whole body, where it came with the request; nil where it is to be read.
    var wholeBody: ByteBuffer? { get }
}

/// Without a connection there is none to lose.
extension BasicRequestContext: ConnectionContext {
    /// Always.
    package var isConnected: Bool { true }
    /// None.
    package var network: DeviceID? { nil }
}

extension ConnectionContext {
    /// Anywhere.
    package var executor: (any TaskExecutor)? { nil }
    /// It is to be read.
    package var wholeBody: ByteBuffer? { nil }
}
