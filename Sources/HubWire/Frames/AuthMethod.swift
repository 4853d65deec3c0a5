/// How a device says who it is.
///
/// Source: Protocol.
package enum AuthMethod: UInt8, CaseIterable, Sendable {
    /// Refused in version 1 with AUTH_REQUIRED.
    case none = 0
    /// A Listen token; makes a new identity.
    case token = 1
    /// Proof of the device key.
    case deviceKey = 2
    /// The client certificate of the TLS handshake.
    case clientCertificate = 3
    /// Reserved; refused in version 1 with AUTH_FAILED.
    case ed25519 = 4
}
