package import HubVocabulary

/// The Web Push tokens of one pair of keys, one for each service's origin.
///
/// A token is good for 12 hours and is replaced after 6, so that signing costs nothing.
package struct BrowserTokenSource: Sendable {
    /// Seconds for which a token is signed; RFC 8292 allows 24 hours.
    private static let lifeSeconds: UInt64 = 12 * 3_600
    private static let renewSeconds: UInt64 = 6 * 3_600
    /// Origins whose tokens are kept at most.
    package static let originsMax = 1_000

    private struct Token {
        /// The whole value of the header.
        let value: String
        let renews: Timestamp
    }

    private let credential: BrowserCredential
    private var tokens: [String: Token] = [:]
    /// The origins in the order of their tokens, oldest first.
    private var order: [String] = []

    /// A source without tokens.
    package init(_ credential: BrowserCredential) { self.credential = credential }

    /// The value of `Authorization` for a service.
    package mutating func authorization(origin: String, now: Timestamp) -> String {
        if let token = tokens[origin], now < token.renews { return token.value }
        let text = JSONWebToken.browser(
            credential,
            origin: origin,
            expires: now.adding(seconds: Self.lifeSeconds)
        )
        let value = "vapid t=\(text),k=\(Base64URL.encode(credential.publicKey))"
        remember(Token(value: value, renews: now.adding(seconds: Self.renewSeconds)), origin)
        return value
    }

    /// A service refused its token: the next request signs another.
    package mutating func refused(origin: String) {
        tokens[origin] = nil
        order.removeAll { $0 == origin }
    }

    private mutating func remember(_ token: Token, _ origin: String) {
        if tokens[origin] != nil { order.removeAll { $0 == origin } }
        tokens[origin] = token
        order.append(origin)
        if order.count > Self.originsMax { tokens[order.removeFirst()] = nil }
    }
}
