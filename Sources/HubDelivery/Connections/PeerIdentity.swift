package import HubVocabulary

/// The facts about a TLS stream when its handshake is done.
package struct PeerIdentity: Sendable {
    /// 16 bytes, IPv4 mapped; for limits by address only.
    package var address: DeviceID
    /// Whether the peer is on this machine.
    package var isLoopback: Bool
    /// 32 bytes of the TLS exporter, equal on both ends of this connection only.
    package var exporter: [UInt8]
    /// The client certificate of the connection.
    package var certificate: DeviceCertificate

    /// Makes an identity.
    package init(
        address: DeviceID,
        isLoopback: Bool,
        exporter: [UInt8],
        certificate: DeviceCertificate
    ) {
        self.address = address
        self.isLoopback = isLoopback
        self.exporter = exporter
        self.certificate = certificate
    }
}
