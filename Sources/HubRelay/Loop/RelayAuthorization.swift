import HubVocabulary

/// How a lane's requests prove the hub to the service.
enum RelayAuthorization {
    /// By the certificate of the connection.
    case certificate
    /// By a provider token, which all hubs with the key share.
    case provider(AppleCredential.Key)
    /// By an access token of the service's endpoint.
    case access(AccessTokenSource)
    /// By a token for each origin.
    case browser(BrowserTokenSource)

    /// The way of a credential.
    init(_ credential: RelayCredential) {
        switch credential {
        case .apple(let apple):
            switch apple.proof {
            case .token(let key): self = .provider(key)
            case .certificate: self = .certificate
            }
        case .firebase, .windows: self = .access(AccessTokenSource())
        case .browser(let browser): self = .browser(BrowserTokenSource(browser))
        case .unused, .broken: self = .certificate
        }
    }
}
