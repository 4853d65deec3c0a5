/// The facts about the peer once the handshake is done.
package struct PeerInfo: Sendable, Equatable {
    /// Where the peer's end of the connection is.
    package let address: SocketAddress
    /// 32 bytes that only the two ends of this connection know, for proofs.
    ///
    /// Source: rules G.
    package let exporter: [UInt8]
    /// The certificate that the peer showed.
    package let certificate: PeerCertificate
    /// The agreed application protocol.
    package let applicationProtocol: String

    /// Whether the peer is on this machine.
    package var isLoopback: Bool { address.isLoopback }

    /// Peer facts from their parts; the transport makes them, tests may.
    package init(
        address: SocketAddress,
        exporter: [UInt8],
        certificate: PeerCertificate,
        applicationProtocol: String
    ) {
        self.address = address
        self.exporter = exporter
        self.certificate = certificate
        self.applicationProtocol = applicationProtocol
    }
}
