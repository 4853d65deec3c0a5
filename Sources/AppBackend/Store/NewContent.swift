/// Content as it comes from its sender.
struct NewContent: Sendable {
    var recipient: UserName
    var isSecure: Bool
    var message: String
    var richType: String
    var mediaType: String
    var etag: String
    /// Bytes of the payload before it is sealed.
    var bytes: Int
    /// What the sender repeats when no answer came; nil when nothing is repeated.
    var identity: RequestIdentity?
}
