package import HubModel
package import HubVocabulary

/// Changes the installation with an id.
package struct PatchInstallation: HubChange {
    /// Its id.
    package let id: [UInt8]
    /// The change.
    package let patch: InstallationPatch
    /// The rights of the token.
    package let grant: AccessGrant

    /// Makes the request of a token.
    package init(
        id: [UInt8],
        _ patch: InstallationPatch,
        _ grant: AccessGrant
    ) {
        self.id = id
        self.patch = patch
        self.grant = grant
    }

    /// It may stand for hundreds of registrations.
    package var isPatient: Bool { true }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Installation> {
        PlannedAnswer { () throws(Refusal) in
            try InstallationWriter(hub: hub, grant: grant, now: now.time).patch(id, patch)
        }
    }
}
