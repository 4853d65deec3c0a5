package import HubRules
package import HubVocabulary

/// A hub as its folder holds it, besides what it has stored.
package struct StoredHub: Sendable {
    /// Makes handles and device keys; never changes.
    package var secret: HubSecret
    /// The part that administrators see.
    package var description: HubDescription

    /// The name, and that of the folder.
    package var name: HubName { description.name }
    /// Who may do what.
    package var rules: [AccessRule] { description.rules.map(\.rule) }
}
