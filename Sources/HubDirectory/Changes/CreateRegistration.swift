package import HubModel
package import HubVocabulary

/// Stores a new registration under a new id.
package struct CreateRegistration: HubChange {
    /// The content.
    package let content: RegistrationContent
    /// The rights of the token.
    package let grant: AccessGrant

    /// Makes the request of a token.
    package init(
        _ content: RegistrationContent,
        _ grant: AccessGrant
    ) {
        self.content = content
        self.grant = grant
    }

    /// Bytes of the content, about.
    package var bodyBytes: Int { content.bodyBytes }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Registration> {
        PlannedAnswer { () throws(Refusal) in
            try RegistrationEditor(hub: hub, grant: grant, now: now.time).create(content)
        }
    }
}
