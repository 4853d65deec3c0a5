/// The answer to a send.
struct SentAnswer: Codable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey {
        case id = "Id"
        case notification = "Notification"
    }

    /// The id of the content; nil for a text between users.
    var id: Int64?
    /// The notification's id at the hub.
    var notification: String
}
