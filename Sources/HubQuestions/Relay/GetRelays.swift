package import HubDirectory
package import HubModel

/// The lanes of a hub that have a credential, ascending by platform.
package struct GetRelays: HubQuestion {
    /// Asks for them.
    package init() {}

    package func answer(_ hub: HubView) -> [RelayReport] { hub.relayReports }
}
