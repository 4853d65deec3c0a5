package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads how long the hub keeps what.
package struct GetSettings: HubQuestion {
    /// Makes the question.
    package init() {}

    package func answer(_ hub: HubView) throws(Refusal) -> HubSettings {
        hub.settings
    }
}
