import SystemPackage

/// Why the transport could not be set up; the operator reads it.
package enum TransportError: Error, Equatable, Sendable {
    /// The text is no numeric IPv4 or IPv6 address.
    case addressInvalid(String)
    /// The text is neither a numeric address nor a network of such.
    case networkInvalid(String)
    /// The host has no address; the number is the resolver's.
    case hostUnknown(String, code: Int32)
    /// Another process holds the port.
    case portInUse(UInt16)
    /// This user may not listen there (a port below 1024, or a policy).
    case portNotPermitted(UInt16)
    /// No interface of this machine has the address.
    case addressNotAvailable(String)
    /// The file does not exist.
    case fileMissing(String)
    /// The file could not be read; the number is the system's.
    case fileUnreadable(String, code: Int32)
    /// The file is larger than any certificate or key.
    case fileTooLarge(String)
    /// The file holds no PEM certificate.
    case certificateMissing(String)
    /// The file holds no PEM private key.
    case keyMissing(String)
    /// The key needs a pass phrase.
    case keyEncrypted(String)
    /// The key is not the one in the certificate.
    case keyMismatch(certificate: String, key: String)
    /// The certificate's time is over.
    case certificateExpired(String)
    /// The certificate's time has not begun.
    case certificateNotYetValid(String)
    /// OpenSSL refused the certificate or key, for example as too weak.
    case certificateRefused(String)
    /// The authority file holds no PEM certificate.
    case authorityMissing(String)
    /// A call to the system failed; the number is the system's.
    case system(String, code: Int32)
    /// OpenSSL could not make a context; the number is its reason.
    case tlsUnavailable(reason: Int32)
    /// The reactor has as many connections as it may have.
    case tooManyConnections
    /// The reactor is stopping.
    case stopping
}

extension TransportError: CustomStringConvertible {
    /// One readable line without secrets.
    package var description: String {
        switch self {
        case .addressInvalid(let text): "'\(text)' is not an IPv4 or IPv6 address"
        case .networkInvalid(let text):
            "'\(text)' is neither an address nor a network such as 10.0.0.0/8 or fd00::/8"
        case .hostUnknown(let host, _): "the host '\(host)' has no address"
        case .portInUse(let port): "port \(port) is in use by another process"
        case .portNotPermitted(let port): "listening on port \(port) is not permitted"
        case .addressNotAvailable(let text): "this machine has no address \(text)"
        case .fileMissing(let path): "the file \(path) does not exist"
        case .fileUnreadable(let path, let code):
            "cannot read \(path): \(Errno(rawValue: code))"
        case .fileTooLarge(let path): "the file \(path) is too large for a certificate or key"
        case .certificateMissing(let path): "\(path) holds no PEM certificate"
        case .keyMissing(let path): "\(path) holds no PEM private key"
        case .keyEncrypted(let path): "the key in \(path) needs a pass phrase; store it without one"
        case .keyMismatch(let certificate, let key):
            "the key in \(key) does not belong to the certificate in \(certificate)"
        case .certificateExpired(let path): "the certificate in \(path) has expired"
        case .certificateNotYetValid(let path): "the certificate in \(path) is not valid yet"
        case .certificateRefused(let path): "OpenSSL refuses the certificate or key in \(path)"
        case .authorityMissing(let path): "\(path) holds no PEM certificate to trust"
        case .system(let operation, let code): "\(operation) failed: \(Errno(rawValue: code))"
        case .tlsUnavailable(let reason): "OpenSSL could not be set up (reason \(reason))"
        case .tooManyConnections: "the limit of connections is reached"
        case .stopping: "the reactor is stopping"
        }
    }
}
