/// The kinds of rich content, and which media types each may have.
enum RichType: String, CaseIterable, Sendable {
    case image = "img"
    case url
    case sound
    case video
    case coupon

    /// The media types that are taken, the usual one first.
    var mediaTypes: [String] {
        switch self {
        case .image: ["image/png", "image/jpeg", "image/gif", "image/webp"]
        case .url: ["text/uri-list"]
        case .sound: ["audio/mpeg", "audio/wav", "audio/ogg", "audio/mp4"]
        case .video: ["video/mp4", "video/webm"]
        case .coupon: ["text/plain", "application/json", "image/png"]
        }
    }
}
