/// What is stored of a user's password.
struct StoredPassword: Equatable, Sendable {
    var hash: String
    /// Another one after each end of all logins.
    var generation: Int64
}
