package import HubModel
package import HubVocabulary

/// Creates or replaces the registration with an id.
package struct PutRegistration: HubChange {
    /// Its id.
    package let id: [UInt8]
    /// The content.
    package let content: RegistrationContent
    /// Which version must be there.
    package let condition: WriteCondition
    /// The rights of the token.
    package let grant: AccessGrant

    /// Makes the request of a token.
    package init(
        id: [UInt8],
        _ content: RegistrationContent,
        _ condition: WriteCondition,
        _ grant: AccessGrant
    ) {
        self.id = id
        self.content = content
        self.condition = condition
        self.grant = grant
    }

    /// Bytes of the content, about.
    package var bodyBytes: Int { content.bodyBytes }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Registration> {
        PlannedAnswer { () throws(Refusal) in
            try RegistrationEditor(hub: hub, grant: grant, now: now.time).put(
                id,
                content,
                condition
            )
        }
    }
}
