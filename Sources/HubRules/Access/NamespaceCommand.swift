package import HubVocabulary

/// An administrator's command to a namespace about its hubs.
///
/// Source: REST §14.
package enum NamespaceCommand: Sendable {
    /// A new hub; refused when there is one with this name.
    case createHub(HubName, HubDefinition)
    /// Changes an existing hub; new keys are in force when it is answered.
    case updateHub(HubName, HubDefinition)
    /// Reads one.
    case getHub(HubName)
    /// Closes the hub's sessions and removes everything that it has stored.
    case deleteHub(HubName)
    /// Hubs in the order of their names, without the first `skip`, at most `limit`.
    case listHubs(skip: Int, limit: Int)
}
