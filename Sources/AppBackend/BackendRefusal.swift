import Hummingbird
import HubClient

/// An answer that is not a success: a status, and a sentence for whoever asked.
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

    /// What the hub's answer means to the backend's own client.
    ///
    /// A hub that stays away is 503; what cannot be the client's fault, and an unknown outcome, is
    /// 500. Source: README.md, The five scenarios.
    init(_ error: SenderError) {
        switch error {
        case .refused(let refused):
            switch refused.status {
            case 400: self.init(400, "the hub refuses this: \(refused.detail)")
            case 410: self.init(410, "the registration is gone: ask for a new id")
            case 413: self.init(413, "the notification is too large for its platform")
            case 401: self.init(500, "the hub does not know this backend's key")
            case 403: self.init(500, "the hub does not let this backend do that")
            case 429, 502, 503, 504: self = .hubAway
            default: self.init(500, "the hub answered with \(refused.status)")
            }
        case .unanswered: self = .hubAway
        case .answerMalformed: self.init(500, "the outcome is unknown: the hub's answer is none")
        case .authorityUnreadable: self.init(500, "the hub's certificate cannot be checked")
        case .platformUnsupported(let platform):
            self.init(400, "a device of \(platform.commandLineName) needs more than a handle")
        }
    }

    /// The hub did not answer as long as the backend waits.
    static let hubAway = BackendRefusal(
        503,
        "the hub is away: try again later",
        headers: [.retryAfter: "5"]
    )
}
