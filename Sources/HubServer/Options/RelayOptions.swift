import HubModel
package import HubRelay
package import HubRelayLink

/// How hubs reach push services.
package struct RelayOptions: Sendable {
    /// How connections are made.
    package var carrier = CarrierOptions()
    /// The link for a credential, instead of connections; for tests.
    package var link: (@Sendable (RelayCredential) -> RelayLink)?
    /// Limits of each lane.
    package var limits = LaneLimits.standard

    /// The options of production.
    package init() {}

    /// The link for a credential.
    ///
    /// - Throws: why there is none: the credential is not right any more, or no authority is
    ///   trusted.
    func makeLink(_ credential: RelayCredential) throws(LaneCause) -> RelayLink {
        if case .broken(let problem) = credential {
            throw .credential(.invalidCredentials, problem.detail)
        }
        if let link { return link(credential) }
        return try RelayLink.connecting(credential, carrier)
    }
}
