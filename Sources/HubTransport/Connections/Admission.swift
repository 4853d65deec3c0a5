/// Counts accepted connections against the limits.
struct Admission {
    private struct Key: Hashable {
        let high: UInt64
        let low: UInt64

        /// An IPv4 address, or the /64 network that one IPv6 host usually owns.
        init(_ address: SocketAddress) {
            high = address.high
            low = address.isIPv4 ? address.low : 0
        }
    }

    private let limits: TransportLimits
    private(set) var handshakes = 0
    private(set) var unauthenticated = 0
    private var perAddress: [Key: Int] = [:]

    init(_ limits: TransportLimits) { self.limits = limits }

    /// Counts a new connection, or says which limit it would pass.
    mutating func admit(
        _ address: SocketAddress,
        connections: Int
    ) -> TransportStatistics.Refusal? {
        if connections >= limits.connections { return .connections }
        if handshakes >= limits.handshakes { return .handshakes }
        if unauthenticated >= limits.unauthenticated { return .unauthenticated }
        if isCounted(address) {
            let count = perAddress[Key(address), default: 0]
            if count >= limits.unauthenticatedPerAddress { return .perAddress }
            perAddress[Key(address)] = count + 1
        }
        handshakes += 1
        unauthenticated += 1
        return nil
    }

    mutating func handshakeEnded() { handshakes -= 1 }

    /// A connection is authenticated, or gone before it was.
    mutating func settle(_ address: SocketAddress) {
        unauthenticated -= 1
        guard isCounted(address), let count = perAddress[Key(address)] else { return }
        perAddress[Key(address)] = count > 1 ? count - 1 : nil
    }

    private func isCounted(_ address: SocketAddress) -> Bool {
        limits.limitsLoopback || !address.isLoopback
    }
}
