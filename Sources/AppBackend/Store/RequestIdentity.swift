import Foundation

/// By what a repeated request is recognised.
struct RequestIdentity: Equatable, Sendable {
    /// The key under which the hub knows it; it has the sender in it.
    var key: String
    /// Of what was asked for, under a key that is not in the database.
    var digest: Data
}
