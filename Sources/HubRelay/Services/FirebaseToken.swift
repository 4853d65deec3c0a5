import HubTemplates
package import HubVocabulary

/// How a service account gets access to Google's messaging (RFC 7523).
package enum FirebaseToken {
    /// The only endpoint; a file's `token_uri` is never asked.
    package static let host = "oauth2.googleapis.com"
    private static let path = "/token"
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// Seconds that an assertion lives: the most that Google allows.
    private static let lifeSeconds: UInt64 = 3_600

    /// The request for an access token.
    package static func request(_ credential: FirebaseCredential, now: Timestamp) -> RelayRequest {
        let assertion = JSONWebToken.firebase(
            credential,
            audience: "https://\(host)\(path)",
            scope: scope,
            now: now,
            lifeSeconds: lifeSeconds
        )
        return AccessTokenRequest.make(
            host: host,
            path: path,
            form: [
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                ("assertion", assertion),
            ]
        )
    }
}
