package import HubVocabulary

/// An administrator's order for a hub; nil parts stay as they are.
package struct HubDefinition: Sendable {
    /// An access rule that is asked for.
    package struct Rule: Sendable {
        /// Its name, unique in the hub.
        package var name: String
        /// The rights of its tokens; Manage brings the other two.
        package var rights: [AccessRight]
        /// nil keeps the key of the rule with this name, or makes one.
        package var primaryKey: String?
        /// nil keeps the key of the rule with this name, or makes one.
        package var secondaryKey: String?

        /// Asks for a rule.
        package init(
            name: String,
            rights: [AccessRight],
            primaryKey: String? = nil,
            secondaryKey: String? = nil
        ) {
            self.name = name
            self.rights = rights
            self.primaryKey = primaryKey
            self.secondaryKey = secondaryKey
        }
    }

    /// The rules that the hub shall have, and no others.
    package var rules: [Rule]?
    /// Free text for the administrators' own use.
    package var metadata: String?
    /// How long registrations shall live.
    package var registrationLife: RegistrationLife?
    /// Credentials to set or remove; others stay.
    package var credentials: [DescribedCredential] = []
    /// Whether another pair of Web Push keys may end every subscription.
    package var confirmsNewKeys = false

    /// Asks for a hub.
    package init(
        rules: [Rule]? = nil,
        metadata: String? = nil,
        registrationLife: RegistrationLife? = nil
    ) {
        self.rules = rules
        self.metadata = metadata
        self.registrationLife = registrationLife
    }

    func checkedMetadata(_ limits: CoreLimits) throws(Refusal) -> String? {
        guard let metadata else { return nil }
        guard metadata.count <= limits.namespace.hubMetadataMax else {
            throw .invalid(
                field: "UserMetadata",
                reason: "has more than \(limits.namespace.hubMetadataMax) characters"
            )
        }
        return metadata
    }
}
