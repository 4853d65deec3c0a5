import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import SystemPackage

/// Why no connection to a server came about, or no answer on it; told in sentences for people.
package enum ConnectionProblem: Equatable, Sendable {
    /// The machine answers, and nothing has the port.
    case nothingListens
    /// The name has no address.
    case hostUnknown
    /// No trusted authority has signed the certificate, or its time is not now.
    case untrusted
    /// The certificate is for other names.
    case wrongName
    /// The peer speaks TLS, and no HTTP in it.
    case otherProtocol
    /// The peer does not speak TLS.
    case plain
    /// The time for connecting ran out.
    case connectTimeout
    /// The time for an answer ran out.
    case answerTimeout
    /// The peer ended the connection before its answer.
    case closed
    /// The system refused, with its number.
    case system(Int32)
    /// TLS failed for another reason.
    case handshake

    /// Reads an error of the HTTP client; nil for one that says nothing of the connection.
    package init?(_ error: any Error) {
        switch error {
        case let error as NIOConnectionError: self.init(error)
        case let error as IOError: self = Self.system(error)
        case NIOSSLError.handshakeFailed(let reason):
            self.init(handshake: String(describing: reason))
        case let error as NIOSSLExtraError:
            guard error == .failedToValidateHostname else { return nil }
            self = .wrongName
        case let error as HTTPClientError: self.init(error)
        default: return nil
        }
    }

    private init?(_ error: HTTPClientError) {
        switch error {
        case .connectTimeout: self = .connectTimeout
        case .deadlineExceeded, .readTimeout: self = .answerTimeout
        case .remoteConnectionClosed: self = .closed
        default: return nil
        }
    }

    private init(_ error: NIOConnectionError) {
        guard let first = error.connectionErrors.first else {
            self = .hostUnknown
            return
        }
        self = (first.error as? IOError).map(Self.system) ?? .connectTimeout
    }

    private static func system(_ error: IOError) -> Self {
        error.errnoCode == ECONNREFUSED ? .nothingListens : .system(error.errnoCode)
    }

    /// BoringSSL's reasons have no type; their names are stable.
    private init(handshake text: String) {
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            self = .untrusted
        } else if text.contains("ALERT_NO_APPLICATION_PROTOCOL") {
            self = .otherProtocol
        } else if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
            self = .plain
        } else {
            self = .handshake
        }
    }

    /// Whether nothing of a request can have reached the server.
    package var isBeforeRequest: Bool {
        switch self {
        case .nothingListens, .hostUnknown, .untrusted, .wrongName, .otherProtocol, .plain,
            .connectTimeout, .handshake:
            true
        case .answerTimeout, .closed, .system: false
        }
    }

    /// The sentence about `host:port`, where `command` starts the server.
    package func sentence(host: String, port: Int, command: String) -> String {
        let address = "\(host):\(port)"
        return switch self {
        case .nothingListens: "nothing listens at \(address): is '\(command)' running?"
        case .hostUnknown: "the host '\(host)' has no address"
        case .untrusted:
            "the certificate of \(address) is signed by an authority that is not trusted here, or "
                + "has expired: name its authority with --ca"
        case .wrongName: "the certificate of \(address) is not for this name"
        case .otherProtocol:
            "\(address) does not speak HTTP: is it the port for devices? REST has another one"
        case .plain: "\(address) does not speak TLS"
        case .connectTimeout: "\(address) cannot be reached: it does not answer"
        case .answerTimeout: "\(address) did not answer in time"
        case .closed: "\(address) closed the connection before it answered"
        case .system(let code):
            "no connection to \(address): \(Errno(rawValue: code))"
        case .handshake: "TLS with \(address) failed"
        }
    }
}
