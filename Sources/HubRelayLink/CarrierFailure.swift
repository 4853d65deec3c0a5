import HubModel
package import HubRelay

/// Why a request got no answer.
package enum CarrierFailure: Error, Hashable, Sendable {
    /// No connection: the name, TCP, TLS, or the pause after earlier failures.
    case unreachable(String)
    /// The service's name leads to an address that is not public; nothing was connected.
    case forbiddenAddress(String)
    /// The service says that it did not process the request: sending it again repeats nothing.
    case unprocessed(String)
    /// The connection ended; the service may have processed the request.
    case lost(String)
    /// The connection lives and this request has no answer; it may have been processed.
    case unanswered(String)
    /// The service ended the connection because of the credential.
    case refused(String)
    /// The answer is longer than any that is read.
    case oversized
    /// The host, as requests name it, speaks no HTTP/2; nothing was sent.
    case noStreams(String)

    /// The verdict that stands for the missing answer.
    package var verdict: RelayVerdict {
        switch self {
        case .unreachable(let reason), .lost(let reason): .unreachable(reason)
        case .forbiddenAddress(let host): .unreachable("\(host) leads to a private address")
        case .unprocessed(let reason): RelayVerdict(.again, .pnsUnavailable, reason)
        case .noStreams: .unreachable("the service does not speak HTTP/2")
        case .unanswered(let reason):
            RelayVerdict(.later(seconds: 2, most: 64), .pnsServerError, reason)
        case .refused(let reason): RelayVerdict(.credential, .invalidCredentials, reason)
        case .oversized:
            RelayVerdict(.later(seconds: 60, most: 3_600), .pnsInterfaceError, "answer too long")
        }
    }
}
