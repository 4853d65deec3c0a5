package import HubModel
package import HubVocabulary

/// Deletes the registration with an id.
package struct DeleteRegistration: HubChange {
    /// Its id.
    package let id: [UInt8]
    /// Which version must be there.
    package let condition: WriteCondition
    /// The rights of the token.
    package let grant: AccessGrant

    /// Makes the request of a token.
    package init(
        id: [UInt8],
        _ condition: WriteCondition,
        _ grant: AccessGrant
    ) {
        self.id = id
        self.condition = condition
        self.grant = grant
    }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Void> {
        PlannedAnswer { () throws(Refusal) in
            try RegistrationEditor(hub: hub, grant: grant, now: now.time).delete(id, condition)
        }
    }
}
