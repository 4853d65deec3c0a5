package import HubVocabulary

/// An administrator's change of a namespace's hubs.
///
/// Source: REST §14.
package enum NamespaceChange: Sendable {
    /// A new hub; refused when there is one with this name.
    case createHub(HubName, HubDefinition)
    /// Changes an existing hub; new keys are in force when it is answered.
    case updateHub(HubName, HubDefinition)
    /// Makes one key of a rule anew; the old one is worthless when it is answered.
    case renewKey(HubName, rule: String, RuleKey)
    /// Closes the hub's sessions and removes everything that it has stored.
    case deleteHub(HubName)
}
