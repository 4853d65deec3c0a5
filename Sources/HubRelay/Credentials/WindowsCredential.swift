import HubVocabulary

/// An app's identity at the Windows push service.
package struct WindowsCredential: Sendable {
    /// Where the app's access tokens come from.
    package enum Issuer: Hashable, Sendable {
        /// A package of the store, at `login.live.com`.
        case store
        /// An app of the Windows App SDK, at its tenant of Entra.
        case tenant(String)
    }

    /// The package's SID, or the app's id at Entra.
    package let client: String
    /// The client's secret.
    package let secret: RelaySecret
    /// Where tokens come from.
    package let issuer: Issuer

    /// Reads Azure's form, and ours with a tenant.
    ///
    /// - Throws: `.invalid` naming the property.
    init(_ properties: CredentialProperties) throws(CredentialProblem) {
        client = try properties.required("PackageSid")
        secret = RelaySecret(try properties.required("SecretKey"))
        if client.hasPrefix("ms-app://"), PlainText.isVisibleASCII(client.utf8) {
            issuer = .store
        } else if Self.isIdentifier(client), let tenant = properties.text("TenantId") {
            guard Self.isIdentifier(tenant) else {
                throw properties.problem("TenantId", "is no identifier of a tenant.")
            }
            issuer = .tenant(tenant)
        } else {
            throw properties.problem(
                "PackageSid",
                "must begin with ms-app://, or be an app's id beside a TenantId."
            )
        }
        if let endpoint = properties.text("WindowsLiveEndpoint") {
            guard ASCII.equal(endpoint.utf8, "https://login.live.com/accesstoken.srf".utf8) else {
                throw properties.problem("WindowsLiveEndpoint", "is no address of Microsoft's.")
            }
        }
    }

    /// 32 hex digits in five groups.
    private static func isIdentifier(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.allSatisfy { HexText.digit($0) != nil } }
    }
}
