/// How an app gets access to the Windows push service.
package enum WindowsToken {
    /// The request for an access token, at the issuer that the credential names.
    package static func request(_ credential: WindowsCredential) -> RelayRequest {
        let secret = String(decoding: credential.secret.bytes, as: UTF8.self)
        let (host, path, scope) =
            switch credential.issuer {
            case .store: ("login.live.com", "/accesstoken.srf", "notify.windows.com")
            case .tenant(let tenant):
                (
                    "login.microsoftonline.com", "/\(tenant)/oauth2/v2.0/token",
                    "https://wns.windows.com/.default"
                )
            }
        return AccessTokenRequest.make(
            host: host,
            path: path,
            form: [
                ("grant_type", "client_credentials"), ("client_id", credential.client),
                ("client_secret", secret), ("scope", scope),
            ]
        )
    }
}
