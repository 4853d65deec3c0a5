public import HubEndpoint
import HubVocabulary

/// Makes Listen tokens for devices that have no identity yet, or holds one that was given.
public struct ListenTokens: Sendable {
    private enum Source: Sendable {
        case rule(SharedAccessSigner, host: String, hub: String)
        case given(String)
    }

    private let source: Source

    /// Tokens for a hub, signed with the rule of a connection string.
    public init(_ connection: ConnectionString, hub: String) {
        let signer = SharedAccessSigner(connection)
        source = .rule(signer, host: connection.bracketedHost, hub: hub)
    }

    /// A token that was made elsewhere, such as by an app's back end after a login.
    ///
    /// It is needed for a device's first connection only.
    public init(given token: String) { source = .given(token) }

    /// Whether every token is a new one, with an hour before it.
    package var areRenewed: Bool {
        switch source {
        case .rule: true
        case .given: false
        }
    }

    /// A token that is valid for an hour, or the one that was given.
    package func token(atMilliseconds now: UInt64) -> String {
        switch source {
        case .rule(let signer, let host, let hub):
            signer.token(host: host, path: hub, expiry: now / 1_000 + 3_600)
        case .given(let token): token
        }
    }
}
