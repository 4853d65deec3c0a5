/// A user as `belfry backend user list` shows them.
package struct BackendUser: Equatable, Sendable {
    /// The name.
    package var name: String
    /// When they were added, in seconds since 1970.
    package var created: Int64
    /// How many registrations they have, reserved ones included.
    package var registrations: Int
}
