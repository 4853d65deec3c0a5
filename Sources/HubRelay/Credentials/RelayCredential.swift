package import HubVocabulary

/// A credential that was checked and can be used.
package enum RelayCredential: Sendable {
    case apple(AppleCredential)
    case firebase(FirebaseCredential)
    case browser(BrowserCredential)
    case windows(WindowsCredential)
    /// Of a service that Belfry does not relay to: kept, and not used.
    case unused
    /// Was right when it was set and is not any more: a certificate that ended.
    case broken(CredentialProblem)

    /// Checks a credential's properties.
    ///
    /// `open` opens a PKCS#12 bundle with its password; nil when it does not open.
    /// - Throws: `.invalid` naming the property.
    package init(
        _ properties: CredentialProperties,
        now: Timestamp,
        open: (_ bundle: [UInt8], _ password: [UInt8]) -> CertificateFacts?
    ) throws(CredentialProblem) {
        switch properties.kind {
        case .apns: self = .apple(try AppleCredential(properties, now: now, open: open))
        case .fcmV1: self = .firebase(try FirebaseCredential(properties))
        case .browser: self = .browser(try BrowserCredential(properties))
        case .wns: self = .windows(try WindowsCredential(properties))
        case .gcm, .mpns, .adm, .baidu, .xiaomi: self = .unused
        }
    }

    /// When its client certificate ends; nil for a credential without one.
    package var certificateEnd: Timestamp? {
        guard case .apple(let apple) = self, case .certificate(_, _, let facts) = apple.proof
        else { return nil }
        return facts.ends
    }

    /// The account behind it: with another secret of the same identity a lane keeps its place, its
    /// brake and its tokens' times.
    package var identity: String {
        switch self {
        case .apple(let apple):
            switch apple.proof {
            case .token(let key):
                "apple \(key.teamID) \(apple.topic) \(apple.environment.rawValue)"
            case .certificate: "apple \(apple.topic) \(apple.environment.rawValue)"
            }
        case .firebase(let firebase): "firebase \(firebase.project)"
        case .browser(let browser): "browser \(Base64URL.encode(browser.publicKey))"
        case .windows(let windows): "windows \(windows.client)"
        case .unused: "unused"
        case .broken: "broken"
        }
    }
}
