package import HubTransport
package import NIOCore

/// Which peers of a listener are balancers, and what follows from what they tell.
package struct ProxyRules: Sendable {
    private let proxies: [AddressBlock]
    let node: String?
    let admit: @Sendable (any Channel, HubTransport.SocketAddress) -> Bool
    let refused: @Sendable () -> Void

    /// Rules of a listener.
    ///
    /// - Parameters:
    ///   - proxies: the balancers; each of their connections has to begin with a header.
    ///   - node: the name that nodes ask for, which send none: they may be among the balancers.
    ///   - admit: is given a connection when its balancer has told its peer; false closes it.
    ///   - refused: is told of each connection that is closed for its header.
    package init(
        _ proxies: [AddressBlock],
        node: String?,
        admit: @escaping @Sendable (any Channel, HubTransport.SocketAddress) -> Bool,
        refused: @escaping @Sendable () -> Void
    ) {
        self.proxies = proxies
        self.node = node
        self.admit = admit
        self.refused = refused
    }

    /// Whether a listener has balancers.
    var isEmpty: Bool { proxies.isEmpty }

    /// Has a balancer's connection wait for its header; false for any other connection.
    package func guards(_ channel: any Channel) throws -> Bool {
        guard !proxies.isEmpty, let text = channel.remoteAddress?.ipAddress,
            // A peer without a numeric address is no balancer.
            let address = try? HubTransport.SocketAddress(
                numeric: text,
                port: UInt16(clamping: channel.remoteAddress?.port ?? 0)
            ),
            proxies.contains(where: { $0.contains(address) })
        else { return false }
        let handler = ProxyHandler(address, self)
        try channel.pipeline.syncOperations.addHandler(handler, position: .first)
        return true
    }
}
