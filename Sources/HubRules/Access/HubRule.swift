package import HubVocabulary

/// An access rule of a hub with the times that administrators are shown.
package struct HubRule: Sendable {
    /// The rule.
    package var rule: AccessRule
    /// When it was made.
    package var created: Timestamp
    /// When its keys or rights were last changed.
    package var modified: Timestamp
    /// When the first key was made; the last change of the rule where that was not noted.
    package var primaryMade: Timestamp
    /// The same of the second key.
    package var secondaryMade: Timestamp

    /// Makes one of its parts.
    package init(
        _ rule: AccessRule,
        created: Timestamp,
        modified: Timestamp,
        primaryMade: Timestamp? = nil,
        secondaryMade: Timestamp? = nil
    ) {
        self.rule = rule
        self.created = created
        self.modified = modified
        self.primaryMade = primaryMade ?? modified
        self.secondaryMade = secondaryMade ?? modified
    }
}
