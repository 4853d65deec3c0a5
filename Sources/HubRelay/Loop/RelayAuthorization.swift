import HubVocabulary

/// How a lane's requests prove the hub to the service.
struct RelayAuthorization {
    enum Way {
        /// By the certificate of the connection.
        case certificate
        /// By a provider token, which all hubs with the key share.
        case provider(AppleCredential.Key)
        /// By an access token of the service's endpoint.
        case access(AccessTokenSource)
        /// By a token for each origin.
        case browser(BrowserTokenSource)
    }

    var way: Way
    /// Apple's token, and the time for which it was asked.
    private var lastProviderToken: (time: Timestamp, text: String)?

    /// The way of a credential.
    init(_ credential: RelayCredential) {
        way =
            switch credential {
            case .apple(let apple):
                switch apple.proof {
                case .token(let key): .provider(key)
                case .certificate: .certificate
                }
            case .firebase, .windows: .access(AccessTokenSource())
            case .browser(let browser): .browser(BrowserTokenSource(browser))
            case .unused, .broken: .certificate
            }
    }

    /// The access token of this moment.
    func accessToken(now: Timestamp) -> RelaySecret? {
        guard case .access(let source) = way, case .token(let text) = source.read(now: now) else {
            return nil
        }
        return text
    }

    /// The provider token of this moment; nil when a certificate proves the hub.
    mutating func providerToken(_ tokens: inout AppleTokens, now: Timestamp) -> String? {
        if let known = lastProviderToken, known.time == now { return known.text }
        guard case .provider(let key) = way else { return nil }
        let text = tokens.token(key, now: now)
        lastProviderToken = (now, text)
        return text
    }

    /// Apple calls the token expired; returns whether there is a newer one.
    mutating func renewProviderToken(_ tokens: inout AppleTokens, now: Timestamp) -> Bool {
        lastProviderToken = nil
        guard case .provider(let key) = way else { return false }
        return tokens.renew(key, now: now)
    }

    /// Apple wants no newer token yet: returns to the older one.
    mutating func keepOlderProviderToken(_ tokens: inout AppleTokens, now: Timestamp) {
        lastProviderToken = nil
        if case .provider(let key) = way { tokens.keepOlder(key, now: now) }
    }

    /// The header for a browser's service at an origin; nil when the hub proves itself otherwise.
    mutating func browserToken(origin: String, now: Timestamp) -> String? {
        guard case .browser(var source) = way else { return nil }
        let text = source.authorization(origin: origin, now: now)
        way = .browser(source)
        return text
    }

    /// A browser's service refused its token.
    mutating func refusedBrowserToken(origin: String) {
        guard case .browser(var source) = way else { return }
        source.refused(origin: origin)
        way = .browser(source)
    }
}
