/// A piece of content that waits for its addressee.
struct StoredContent: Equatable, Sendable {
    var id: Int64
    var recipient: UserName
    var isSecure: Bool
    /// Empty for secure content, where it is sealed with the payload.
    var message: String
    var richType: String
    var mediaType: String
    /// Of what is stored: sealed for secure content.
    var payloadBytes: Int
    var etag: String
    var isRead: Bool
}
