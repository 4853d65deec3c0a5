/// Why a TLS handshake failed; counted per case, told to the one who connected.
package enum HandshakeFailure: Int, CaseIterable, Sendable {
    /// The bytes are not TLS: plain HTTP, random bytes.
    case notTLS
    /// A balancer did not begin with the header that is required of it.
    case proxyHeader
    /// The peer does not speak TLS 1.3.
    case version
    /// The peer does not offer, or did not choose, our application protocol.
    case applicationProtocol
    /// No cipher suite, group or signature in common.
    case parameters
    /// A certificate was refused, here or by the peer.
    case certificate
    /// The peer sent another fatal alert.
    case peerAlert
    /// The deadline passed.
    case timeout
    /// The stream ended in the middle.
    case lost
    /// Anything else.
    case other
}
