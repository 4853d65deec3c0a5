package import HubVocabulary

/// An access rule of a hub with the times that administrators are shown.
package struct HubRule: Sendable {
    /// The rule.
    package var rule: AccessRule
    /// When it was made.
    package var created: Timestamp
    /// When its keys or rights were last changed.
    package var modified: Timestamp

    /// Makes one of its parts.
    package init(_ rule: AccessRule, created: Timestamp, modified: Timestamp) {
        self.rule = rule
        self.created = created
        self.modified = modified
    }
}
