/// How long a sender goes on when the hub is away, and how it spaces its attempts.
///
/// Only what may be repeated is: a send carries its idempotency key, a registration is written
/// under an id, a read changes nothing. Source: rules B.14.
public struct RetryPolicy: Equatable, Sendable {
    /// From the first attempt until the last one begins; zero makes one attempt.
    public var patience: Duration
    /// Before the first repeat; each further pause is twice as long.
    public var pauseFirst: Duration = .milliseconds(100)
    /// Between two attempts at most.
    public var pauseMax: Duration = .seconds(2)

    /// A policy that goes on for so long.
    public init(patience: Duration) { self.patience = patience }

    /// One attempt.
    public static let never = RetryPolicy(patience: .zero)
    /// The policy of a back end: half a minute, in which a hub is restarted.
    public static let standard = RetryPolicy(patience: .seconds(30))

    /// How long to wait behind a failed attempt, counted from 1; a hub that says how long is obeyed.
    public func pause(after attempt: Int, asked seconds: Int? = nil) -> Duration {
        if let seconds { return .seconds(max(0, seconds)) }
        let doublings = min(max(attempt, 1) - 1, 16)
        return min(pauseMax, pauseFirst * (1 << doublings))
    }
}

extension SenderError {
    /// Whether the same request may succeed later: no answer came, or the hub said so.
    public var invitesRepeat: Bool {
        switch self {
        case .unreached, .unanswered: true
        case .refused(let refused): [429, 502, 503, 504].contains(refused.status)
        case .answerMalformed, .authorityUnreadable, .platformUnsupported: false
        }
    }
}
