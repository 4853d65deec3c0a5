package import HubModel
package import HubVocabulary

/// Creates or replaces an installation.
package struct PutInstallation: HubChange {
    /// The draft.
    package let draft: InstallationDraft
    /// The rights of the token.
    package let grant: AccessGrant

    /// Makes the request of a token.
    package init(
        _ draft: InstallationDraft,
        _ grant: AccessGrant
    ) {
        self.draft = draft
        self.grant = grant
    }

    /// Bytes of the draft, about.
    package var bodyBytes: Int {
        draft.text.count + draft.parts.reduce(0) { $0 + $1.bodyBytes }
    }

    /// It may stand for hundreds of registrations.
    package var isPatient: Bool { true }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Installation> {
        PlannedAnswer { () throws(Refusal) in
            try InstallationWriter(hub: hub, grant: grant, now: now.time).put(draft)
        }
    }
}
