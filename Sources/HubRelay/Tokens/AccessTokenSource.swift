package import HubVocabulary

/// The access token of a service account or an app, which its service's endpoint hands out.
///
/// It is renewed at 80 % of its life, one request at a time, and the old one is used meanwhile.
package struct AccessTokenSource: Sendable {
    /// Seconds of life that are believed at most: a day.
    private static let lifeSecondsMax: UInt64 = 86_400

    private struct Token {
        let text: RelaySecret
        let renews: Timestamp
        let ends: Timestamp
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

    /// A source without a token.
    package init() {}

    /// The token for a request of this moment.
    package func read(now: Timestamp) -> Reading {
        guard let token, now < token.ends else { return .waiting }
        return .token(token.text)
    }

    /// Whether the endpoint is to be asked now; true once until an answer or a failure came.
    package mutating func asks(now: Timestamp) -> Bool {
        guard !isAsking else { return false }
        if let token, now < token.renews { return false }
        isAsking = true
        return true
    }

    /// The endpoint gave a token for so many seconds.
    package mutating func receive(_ text: RelaySecret, lifeSeconds: UInt64, now: Timestamp) {
        isAsking = false
        let life = min(lifeSeconds, Self.lifeSecondsMax)
        token = Token(
            text: text,
            renews: now.adding(seconds: life * 8 / 10),
            ends: now.adding(seconds: life)
        )
    }

    /// The endpoint refused or did not answer; an older token serves as long as it lives.
    package mutating func fail() { isAsking = false }

    /// A service refused the token: it is not used again.
    ///
    /// Another token may be there already; then nothing changes.
    package mutating func refused(_ text: RelaySecret) {
        if token?.text == text { token = nil }
    }
}
