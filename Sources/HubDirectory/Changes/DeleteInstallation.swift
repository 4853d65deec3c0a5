package import HubModel
package import HubVocabulary

/// Deletes the installation with an id; succeeds when there is none.
package struct DeleteInstallation: HubChange {
    /// Its id.
    package let id: [UInt8]
    /// The rights of the token.
    package let grant: AccessGrant

    /// Makes the request of a token.
    package init(
        id: [UInt8],
        _ grant: AccessGrant
    ) {
        self.id = id
        self.grant = grant
    }

    /// It may stand for hundreds of registrations.
    package var isPatient: Bool { true }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Void> {
        PlannedAnswer { () throws(Refusal) in
            try InstallationWriter(hub: hub, grant: grant, now: now.time).delete(id)
        }
    }
}
