package import HubVocabulary

/// An access rule of a hub or of the namespace, with the times that administrators are shown.
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
    /// The text of the key that was made last; of two that were made at once, the first one.
    package var newestKey: String {
        secondaryMade > primaryMade ? rule.secondaryKey : rule.primaryKey
    }

    /// The rule with one new key; the other one goes on.
    package func renewing(
        _ key: RuleKey,
        now: Timestamp,
        newKey: () -> String
    ) throws(Refusal) -> HubRule {
        let changed = try AccessRule(
            name: rule.name,
            primaryKey: key == .primary ? newKey() : rule.primaryKey,
            secondaryKey: key == .secondary ? newKey() : rule.secondaryKey,
            rights: rule.rights,
            after: rule
        )
        return HubRule(
            changed,
            created: created,
            modified: now,
            primaryMade: key == .primary ? now : primaryMade,
            secondaryMade: key == .secondary ? now : secondaryMade
        )
    }
}
