import HubTransport
import HubVocabulary
import NIOCore
import Synchronization

/// How many REST connections each address has, for those that count; for any thread.
///
/// An IPv6 address counts by its first 64 bits, which is what one customer gets.
final class AddressConnections: Sendable {
    private let limitsLoopback: Bool
    private let perAddress: Atomic<Int>
    private let counts = Mutex<[DeviceID: Int]>([:])

    init(limits: RESTLimits) {
        limitsLoopback = limits.limitsLoopback
        perAddress = Atomic(limits.connectionsPerAddress)
    }

    /// Allows each address so many connections from now on; those that stand stay.
    func allow(_ count: Int) { perAddress.store(count, ordering: .relaxed) }

    /// Counts a connection, or has it closed as soon as it is set up: a failure of its set-up would
    /// be one of the listener's.
    ///
    /// - Parameters:
    ///   - channel: the connection.
    ///   - onRefused: told when its address has no place for it.
    func admit(_ channel: any Channel, onRefused: () -> Void) {
        let address = channel.remoteAddress?.ipAddress.flatMap {
            // See below.
            try? HubTransport.SocketAddress(numeric: $0, port: 0)
        }
        // A peer without a numeric address, by a socket of the file system, is not counted.
        guard let address, !admit(channel, at: address) else { return }
        onRefused()
        channel.eventLoop.execute { channel.close(promise: nil) }
    }

    /// Counts a connection of this address until it ends; false when it has no place.
    func admit(_ channel: any Channel, at address: HubTransport.SocketAddress) -> Bool {
        guard enter(address) else { return false }
        channel.closeFuture.whenComplete { [self] _ in leave(address) }
        return true
    }

    /// Takes a place for a connection of an address; false when that has as many as it may have.
    func enter(_ address: HubTransport.SocketAddress) -> Bool {
        guard let network = network(of: address) else { return true }
        return counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < perAddress.load(ordering: .relaxed) else { return false }
            counts[network] = count + 1
            return true
        }
    }

    /// Gives back a place that `enter` took.
    func leave(_ address: HubTransport.SocketAddress) {
        guard let network = network(of: address) else { return }
        counts.withLock { counts in
            let left = counts[network, default: 1] - 1
            counts[network] = left > 0 ? left : nil
        }
    }

    /// Addresses with a connection that counts.
    var addressCount: Int { counts.withLock { $0.count } }

    private func network(of address: HubTransport.SocketAddress) -> DeviceID? {
        limitsLoopback || !address.isLoopback ? address.network : nil
    }
}
