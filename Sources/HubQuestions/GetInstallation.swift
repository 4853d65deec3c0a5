package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads the installation with an id.
package struct GetInstallation: HubQuestion {
    /// An installation, and how its channel stands.
    package struct Reply: Sendable {
        /// The stored installation.
        package let installation: Installation
        /// Whether its handle was the device's once and is no more: the device's key was revoked.
        ///
        /// Source: REST reference §5.5, rules C.2.
        package let channelExpired: Bool

        /// Makes one of its parts.
        package init(installation: Installation, channelExpired: Bool) {
            self.installation = installation
            self.channelExpired = channelExpired
        }
    }

    /// Its id.
    package let id: [UInt8]

    /// Makes the question.
    package init(id: [UInt8]) {
        self.id = id
    }

    package func answer(_ hub: HubView) throws(Refusal) -> Reply {
        guard let found = hub.installations[id], !found.isExpired(hub.now.time) else {
            throw .installationNotFound
        }
        let expired = try hub.reading { () throws(StoreError) in try isExpired(found, hub) }
        return Reply(installation: found, channelExpired: expired)
    }

    private func isExpired(
        _ installation: Installation,
        _ hub: HubView
    ) throws(StoreError) -> Bool {
        let all = try hub.registrations(of: installation.id)
        let own = all.first { $0.content.secondaryTileName.isEmpty }
        guard let own, own.target != nil else { return false }
        return hub.device(of: own.content.handle, platform: own.content.platform) == nil
    }
}
