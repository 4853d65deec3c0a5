import HubSender
import Hummingbird

/// An answer that is not a success: a status, and a sentence for the client.
struct BackendRefusal: Error, Equatable, Sendable {
    var status: Int
    var message: String
    var headers: HTTPFields = [:]

    init(_ status: Int, _ message: String, headers: HTTPFields = [:]) {
        self.status = status
        self.message = message
        self.headers = headers
    }

    /// Credentials are missing or wrong; nothing says which, or whether there is such a user.
    static let unauthorized = BackendRefusal(
        401,
        "name and password, or an access token that is valid, are needed",
        headers: [.wwwAuthenticate: "Basic realm=\"belfry\", charset=\"UTF-8\""]
    )

    /// The registration under an id is another user's, or was: a new id is needed.
    static let registrationGone = BackendRefusal(
        410,
        "the registration is gone: ask for a new id"
    )

    /// Translates an error of the hub for the backend's own client.
    ///
    /// When the hub certainly took nothing, the answer is 503, which invites the same request once
    /// more. When that is uncertain, only a request that may be repeated gets 503; a send gets 500.
    /// A mistake that cannot be the client's is 500 too. Source: Belfry.docc, The app backend.
    init(_ error: SenderError, isRepeatable: Bool) {
        switch error {
        case .refused(let refused):
            switch refused.status {
            case 400: self.init(400, "the hub refuses this: \(refused.detail)")
            case 409: self.init(409, "the Idempotency-Key was used for something else")
            case 410: self = .registrationGone
            case 413: self.init(413, "the notification is too large for its platform")
            case 401: self.init(500, "the hub does not know this backend's key")
            case 403: self.init(500, "the hub does not let this backend do that")
            case 429, 503: self = .hubAway
            case 502, 504: self = isRepeatable ? .hubAway : .outcomeUnknown
            default: self.init(500, "the hub answered with \(refused.status)")
            }
        case .unreached: self = .hubAway
        case .unanswered, .answerMalformed: self = isRepeatable ? .hubAway : .outcomeUnknown
        case .authorityUnreadable: self.init(500, "the hub's certificate cannot be checked")
        case .platformUnsupported(let platform):
            self.init(400, "a device of \(platform.commandLineName) needs more than a handle")
        }
    }

    /// The hub did not take it as long as the backend waits.
    static let hubAway = BackendRefusal(
        503,
        "the hub is away: try again later",
        headers: [.retryAfter: "5"]
    )

    /// The hub may have taken a send, and did not say so.
    static let outcomeUnknown = BackendRefusal(
        500,
        "the outcome is unknown: the hub did not answer"
    )
}

extension SenderError {
    /// Whether no attempt can have been accepted; otherwise what was asked for may come about later.
    ///
    /// That a hub's store failed does not say that nothing was kept.
    var isRefusedForGood: Bool {
        switch self {
        case .refused(let refused):
            refused.status < 500 && !invitesRepeat && !refused.followsUnanswered
        case .unreached, .authorityUnreadable, .platformUnsupported: true
        case .unanswered, .answerMalformed: false
        }
    }
}
