import HubVocabulary

/// Counts accepted connections against the limits.
struct Admission {
    private let limits: TransportLimits
    private(set) var handshakes = 0
    private(set) var unauthenticated = 0
    /// Connections whose handshake is not finished.
    var shaking = ConnectionLine()
    /// Connections that are not authenticated.
    var unproven = ConnectionLine()
    private var perAddress: [DeviceID: Int] = [:]

    init(_ limits: TransportLimits) { self.limits = limits }

    /// Whether an address may have one more connection without proof.
    func hasPlace(for address: SocketAddress) -> Bool {
        !isCounted(address)
            || perAddress[address.network, default: 0] < limits.unauthenticatedPerAddress
    }

    /// Counts a new connection, or says which limit it would pass.
    mutating func admit(
        _ address: SocketAddress,
        connections: Int
    ) -> TransportStatistics.Refusal? {
        if connections >= limits.connections { return .connections }
        guard hasPlace(for: address) else { return .perAddress }
        if isCounted(address) { perAddress[address.network, default: 0] += 1 }
        handshakes += 1
        unauthenticated += 1
        return nil
    }

    mutating func handshakeEnded() { handshakes -= 1 }

    /// A connection is authenticated, or gone before it was.
    mutating func uncount(_ address: SocketAddress) {
        unauthenticated -= 1
        guard isCounted(address), let count = perAddress[address.network] else { return }
        perAddress[address.network] = count > 1 ? count - 1 : nil
    }

    private func isCounted(_ address: SocketAddress) -> Bool {
        limits.limitsLoopback || !address.isLoopback
    }
}
