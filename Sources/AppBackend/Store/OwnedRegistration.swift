/// A registration that the backend made for a user.
struct OwnedRegistration: Equatable, Sendable {
    var id: String
    var user: UserName
    /// Nil when the id was reserved without one.
    var handle: String?
}
