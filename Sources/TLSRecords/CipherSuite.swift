/// The cipher suites whose records can be sealed here, by their number in the handshake.
///
/// Source: RFC 8446 §B.4.
package enum CipherSuite: UInt16, CaseIterable, Sendable {
    case aes128GCM = 0x1301
    case aes256GCM = 0x1302
    case chaCha20Poly1305 = 0x1303

    /// Bytes of a key.
    package var keyBytes: Int {
        switch self {
        case .aes128GCM: 16
        case .aes256GCM, .chaCha20Poly1305: 32
        }
    }

    /// The hash function of the suite's key schedule.
    package var hash: HashFunction {
        switch self {
        case .aes128GCM, .chaCha20Poly1305: .sha256
        case .aes256GCM: .sha384
        }
    }
}
