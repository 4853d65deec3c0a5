package import HubVocabulary

/// The holder of codes, sessions and ways in: an access rule of a hub, or of the namespace.
package struct ConsoleShare: Hashable, Sendable {
    /// The one hub that its sessions see; nil for all.
    package let hub: HubName?
    /// The rule's name.
    package let rule: String
}
