package import HubRelay
package import HubRelayLink

/// How hubs reach push services.
package struct RelayOptions: Sendable {
    /// How connections are made.
    package var carrier = CarrierOptions()
    /// The link for a credential, instead of connections; for tests.
    package var link: (@Sendable (RelayCredential) -> RelayLink?)?
    /// Limits of each lane.
    package var limits = LaneLimits.standard

    /// The options of production.
    package init() {}

    /// The link for a credential; nil where none is relayed with.
    func makeLink(_ credential: RelayCredential) -> RelayLink? {
        link.map { $0(credential) } ?? RelayLink.connecting(credential, carrier)
    }
}
