import HubVocabulary

/// Counts accepted connections against the limits.
struct Admission {
    private let limits: TransportLimits
    private let proxies: [AddressBlock]
    /// Nil where no node passes devices on.
    let fronts: FrontTrust?
    private(set) var handshakes = 0
    private(set) var unauthenticated = 0
    /// Connections whose handshake is not finished.
    var shaking = ConnectionLine()
    /// Connections that are not authenticated.
    var unproven = ConnectionLine()
    private var perAddress: [DeviceID: Int] = [:]

    init(_ limits: TransportLimits, proxies: [AddressBlock] = [], fronts: FrontTrust? = nil) {
        self.limits = limits
        self.fronts = fronts
        self.proxies = proxies
    }

    /// Whether a connection from here has to say first for whom it is.
    func isProxy(_ address: SocketAddress) -> Bool {
        !proxies.isEmpty && proxies.contains { $0.contains(address) }
    }

    /// Whether an address may have one more connection without proof.
    func hasPlace(for address: SocketAddress) -> Bool {
        !isCounted(address)
            || perAddress[address.network, default: 0] < limits.unauthenticatedPerAddress
    }

    /// Counts a new connection, or says which limit it would pass.
    ///
    /// A balancer's has no address until `learn`.
    mutating func admit(
        _ address: SocketAddress?,
        connections: Int
    ) -> TransportStatistics.Refusal? {
        if connections >= limits.connections { return .connections }
        if let address, !learn(address) { return .perAddress }
        handshakes += 1
        unauthenticated += 1
        return nil
    }

    /// Counts an address from which a connection is; false when it may have no more.
    mutating func learn(_ address: SocketAddress) -> Bool {
        guard hasPlace(for: address) else { return false }
        if isCounted(address) { perAddress[address.network, default: 0] += 1 }
        return true
    }

    /// Another address counts for a connection that this one was counted for.
    mutating func forget(_ address: SocketAddress) {
        guard isCounted(address), let count = perAddress[address.network] else { return }
        perAddress[address.network] = count > 1 ? count - 1 : nil
    }

    mutating func handshakeEnded() { handshakes -= 1 }

    /// A connection is authenticated, or gone before it was.
    mutating func uncount(_ address: SocketAddress?) {
        unauthenticated -= 1
        if let address { forget(address) }
    }

    private func isCounted(_ address: SocketAddress) -> Bool {
        limits.limitsLoopback || !address.isLoopback
    }
}
