package import HubTransport
package import NIOCore
import Synchronization

/// Who the peer of a connection is, as its balancer told; nil before it has.
package final class ToldAddress: Sendable {
    /// That of the connection whose requests the present task answers; nil without a balancer.
    @TaskLocal package static var current: ToldAddress?

    private let told = Mutex<HubTransport.SocketAddress?>(nil)

    init() {}

    /// That of a connection, or of a stream of HTTP/2 on one; nil for one that no balancer made.
    ///
    /// On the connection's loop.
    package static func of(_ channel: any Channel) -> ToldAddress? {
        // A stream's channel has the connection's as its parent, and that one the listener's.
        let connection = channel.parent.flatMap { $0.parent == nil ? nil : $0 } ?? channel
        // Fails where the pipeline has no such handler.
        return try? connection.pipeline.syncOperations.handler(type: ProxyHandler.self).told
    }

    /// The address.
    package var address: HubTransport.SocketAddress? { told.withLock { $0 } }

    func tell(_ address: HubTransport.SocketAddress) { told.withLock { $0 = address } }
}
