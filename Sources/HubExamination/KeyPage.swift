/// Access rules with the age and last use of their keys, as a hub or the server tells them.
package struct KeyPage: Decodable, Sendable {
    /// One rule; times as they stand in the answer.
    package struct Rule: Decodable, Sendable {
        /// Its name.
        package var name: String
        /// When the primary key was made.
        package var primaryMade: String
        /// The hour of its last use; nil for never.
        package var primaryUsed: String?
        /// The names of its rights.
        package var rights: [String]
        /// When the secondary key was made.
        package var secondaryMade: String
        /// The hour of its last use; nil for never.
        package var secondaryUsed: String?
        /// The hour in which a device used one of them last; nil for never.
        package var usedByDevices: String?
    }

    /// The path below a hub, and below the server.
    package static let path = "$belfry/keys"

    /// The rules of the hub, or of the namespace.
    package var rules: [Rule]
}
