/// The hash functions of the cipher suites.
package enum HashFunction: Sendable, CaseIterable {
    case sha256
    case sha384

    /// Bytes of a hash, and of a traffic secret.
    package var bytes: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        }
    }
}
