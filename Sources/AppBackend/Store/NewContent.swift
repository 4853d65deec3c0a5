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
    /// The identity of the request, by which a repeated one is known; nil when nothing is repeated.
    var identity: RequestIdentity?
}
