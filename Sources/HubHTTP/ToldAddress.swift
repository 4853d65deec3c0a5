package import HubTransport
import Synchronization

/// Who the peer of a connection is, as its balancer told; nil before it has.
package final class ToldAddress: Sendable {
    /// That of the connection whose requests the present task answers; nil without a balancer.
    @TaskLocal package static var current: ToldAddress?

    private let told = Mutex<SocketAddress?>(nil)

    init() {}

    /// The address.
    package var address: SocketAddress? { told.withLock { $0 } }

    func tell(_ address: SocketAddress) { told.withLock { $0 = address } }
}
