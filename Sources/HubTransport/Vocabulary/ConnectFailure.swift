/// Why a connection of ours did not open.
package enum ConnectFailure: Hashable, Sendable {
    /// TCP could not connect; the number is the system's.
    case unreachable(code: Int32)
    /// The handshake failed; `verification` is OpenSSL's X509_V_ERR number, 0 if none.
    case handshake(HandshakeFailure, verification: Int)
    /// The reactor stopped, or the handler closed the connection, before it opened.
    case abandoned
}
