package import HubVocabulary

/// An access rule with the age and the last use of its keys.
package struct RuleFacts: Sendable {
    /// One of its two keys.
    package struct Key: Sendable {
        /// When it was made.
        package var made: Timestamp
        /// The hour of its last use; nil for none that is known.
        package var used: Timestamp?

        /// Makes one of its parts.
        package init(made: Timestamp, used: Timestamp? = nil) {
            self.made = made
            self.used = used
        }
    }

    /// Its name.
    package var name: String
    /// Whether it may do everything.
    package var isManaging: Bool
    /// The key that is used by default.
    package var primary: Key
    /// The other one.
    package var secondary: Key
    /// Whether devices connect with it.
    package var isUsedByDevices = false

    /// Makes one of its parts.
    package init(name: String, isManaging: Bool, primary: Key, secondary: Key) {
        self.name = name
        self.isManaging = isManaging
        self.primary = primary
        self.secondary = secondary
    }
}
