/// A user's password as it is stored.
struct StoredPassword: Equatable, Sendable {
    var hash: String
    /// Another one after each end of all logins.
    var generation: Int64
}
