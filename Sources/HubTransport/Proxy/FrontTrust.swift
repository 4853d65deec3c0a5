import HubVocabulary
import Synchronization

/// Belief in other nodes that pass connections of their devices on to this one.
///
/// Such a connection begins with a header that a front proves. From an address where a front was
/// heard of, a connection counts towards no limit until its first bytes say for whom it is.
package final class FrontTrust: Sendable {
    private let proves: @Sendable (ProxyHeader) -> Bool
    private let fronts = Mutex<Set<DeviceID>>([])

    /// Believes the headers that satisfy `proves`.
    package init(proves: @escaping @Sendable (ProxyHeader) -> Bool) { self.proves = proves }

    /// A front has proved itself from here.
    package func learn(_ address: SocketAddress) {
        fronts.withLock { fronts in
            // Fronts say so again after a while.
            if fronts.count >= TransportLimits.frontsMax { fronts = [] }
            fronts.insert(address.network)
        }
    }

    /// Whether a front was heard of from here.
    package func knows(_ address: SocketAddress) -> Bool {
        fronts.withLock { $0.contains(address.network) }
    }

    func believes(_ header: ProxyHeader) -> Bool { proves(header) }
}
