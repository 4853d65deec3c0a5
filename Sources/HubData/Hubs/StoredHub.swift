package import HubRelay
package import HubRules
package import HubVocabulary

/// A hub as its folder holds it, besides what it has stored.
package struct StoredHub: Sendable {
    /// Makes handles and device keys; never changes.
    package var secret: HubSecret
    /// The part that administrators see.
    package var description: HubDescription

    /// The credentials of push services.
    package var credentials = CredentialSet()

    /// The description with the credentials, each secret masked.
    package var shown: HubDescription {
        var shown = description
        shown.credentials = credentials.all.map { entry in
            DescribedCredential(
                element: entry.properties.kind.rawValue,
                properties: entry.properties.shown(secret)
            )
        }
        return shown
    }

    /// The name, and that of the folder.
    package var name: HubName { description.name }
    /// Who may do what.
    package var rules: [AccessRule] { description.rules.map(\.rule) }
}
