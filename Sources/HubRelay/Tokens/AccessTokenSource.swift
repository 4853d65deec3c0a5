package import HubVocabulary

/// The access token of a service account or an app, which its service's endpoint hands out.
///
/// It is renewed at 80 % of its life, one request at a time, and the old one is used meanwhile.
package struct AccessTokenSource: Sendable {
    /// Seconds of life that are believed at most: a day.
    private static let lifeSecondsMax: UInt64 = 86_400
    /// Seconds between questions to an endpoint that is away, first and longest.
    private static let pauses: (first: UInt64, longest: UInt64) = (1, 60)
    /// Seconds between questions to an endpoint that refuses the credential.
    private static let refusedSeconds: UInt64 = 300

    private struct Token {
        let text: RelaySecret
        let renews: Timestamp
        let ends: Timestamp
    }

    /// Why the endpoint gave no token.
    package enum Failure: Sendable {
        /// It refuses the credential.
        case refused
        /// It is not there, perhaps for so many seconds.
        case away(retryAfter: UInt64?)
    }

    /// The state of a request of this moment.
    package enum Reading: Sendable {
        /// It carries this token.
        case token(RelaySecret)
        /// It waits for one.
        case waiting
    }

    private var token: Token?
    private var isAsking = false
    private var failures: UInt64 = 0
    /// The endpoint is not asked before.
    private var notBefore = Instant(nanoseconds: 0)

    /// A source without a token.
    package init() {}

    /// The token for a request of this moment.
    package func read(now: Timestamp) -> Reading {
        guard let token, now < token.ends else { return .waiting }
        return .token(token.text)
    }

    /// Whether the endpoint is left alone after a failure.
    func rests(now: Instant) -> Bool { now < notBefore }

    /// Whether the endpoint is to be asked now; true once until an answer or a failure came.
    package mutating func asks(now: Now) -> Bool {
        guard !isAsking, now.instant >= notBefore else { return false }
        if let token, now.time < token.renews { return false }
        isAsking = true
        return true
    }

    /// The endpoint gave a token for so many seconds.
    package mutating func receive(_ text: RelaySecret, lifeSeconds: UInt64, now: Timestamp) {
        isAsking = false
        failures = 0
        let life = min(lifeSeconds, Self.lifeSecondsMax)
        token = Token(
            text: text,
            renews: now.adding(seconds: life * 8 / 10),
            ends: now.adding(seconds: life)
        )
    }

    /// The endpoint refused or did not answer; an older token serves as long as it lives.
    ///
    /// Returns the seconds for which it is not asked again: its own `Retry-After`, or a pause that
    /// doubles while it is away.
    package mutating func fail(_ failure: Failure, now: Instant) -> UInt64 {
        isAsking = false
        var seconds = Self.refusedSeconds
        if case .away(let retryAfter) = failure {
            let pause = min(Self.pauses.first << min(failures, 6), Self.pauses.longest)
            seconds = max(retryAfter ?? 0, pause)
            failures += 1
        }
        notBefore = now.adding(milliseconds: seconds * 1_000)
        return seconds
    }

    /// A service refused the token: it is not used again.
    ///
    /// Another token may be there already; then nothing changes.
    package mutating func refused(_ text: RelaySecret) {
        if token?.text == text { token = nil }
    }
}
