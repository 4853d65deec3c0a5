/// A hub as a database names it.
package struct DatabaseHub: Hashable, Sendable {
    /// Unlike that of any other hub, also of one that had the same name before.
    package let name: String
    /// Whether everything is there; false while it is being moved into the database.
    package let isWhole: Bool
}
