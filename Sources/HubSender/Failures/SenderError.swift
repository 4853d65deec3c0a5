import HubVocabulary

/// Why a request to the REST API did not succeed; holds no secret.
public enum SenderError: Error, Equatable, Sendable {
    /// The hub answered with another status than success.
    case refused(RefusedRequest)
    /// No connection came about, or time ran out before there was one: the hub has nothing of it.
    case unreached(reason: String)
    /// The request was written, at least in part, and no answer came, now or at an earlier attempt.
    /// It may have been accepted; the same idempotency key may be sent again.
    case unanswered(reason: String)
    /// An answer came that the reference does not describe.
    case answerMalformed(reason: String)
    /// The CA file cannot be read or holds no certificate.
    case authorityUnreadable(path: String)
    /// The platform has no handle of one piece, so its registration cannot be written here.
    case platformUnsupported(Platform)
}

extension SenderError {
    /// The HTTP status of a refusal; nil when there was no answer that could be understood.
    public var status: Int? {
        if case .refused(let refused) = self { refused.status } else { nil }
    }
}

extension SenderError: CustomStringConvertible {
    /// One readable line.
    public var description: String {
        switch self {
        case .refused(let refused):
            "refused with \(refused.status): \(refused.reason)"
        case .unreached(let reason): "not reached: \(reason)"
        case .unanswered(let reason): "no answer: \(reason)"
        case .answerMalformed(let reason): "the answer cannot be understood: \(reason)"
        case .authorityUnreadable(let path): "cannot read a CA certificate from \(path)"
        case .platformUnsupported(let platform):
            "registrations of \(platform.commandLineName) need more than a handle"
        }
    }
}
