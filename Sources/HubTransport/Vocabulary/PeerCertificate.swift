/// The certificate of a connection's peer, after the handshake.
package enum PeerCertificate: Equatable, Sendable {
    /// The peer showed none, or was not asked.
    case none
    /// It does not chain to the configured authorities, or is not valid now.
    case untrusted
    /// SHA-256 of the DER SubjectPublicKeyInfo of a verified one.
    ///
    /// Source: rules C.2.
    case trusted(keyHash: [UInt8])
}
