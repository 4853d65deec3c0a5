package import HubClient

/// Makes realistic JSON payloads, each different, the same ones again for the same seed.
package struct PayloadMaker: Sendable {
    private static let words = [
        "market", "council", "launch", "river", "storm", "signal", "budget", "museum", "harbor",
        "treaty", "engine", "forest", "player", "record", "border", "summit", "planet", "camera",
        "bridge", "winter", "minister", "satellite", "festival", "election", "laboratory", "season",
    ]
    private static let categories = [
        "World", "Politics", "Business", "Technology", "Science", "Sports",
    ]

    private let platform: DevicePlatform
    private let bytes: Int
    private var random: JitterSource
    private var count = 0

    /// Payloads for the native registrations of a platform.
    ///
    /// - Parameters:
    ///   - platform: Apple payloads have `aps`, FCM v1 ones `message`, all others `data`.
    ///   - bytes: about how long each is; the frame alone takes some 190.
    ///   - seed: decides the words.
    package init(platform: DevicePlatform, bytes: Int, seed: UInt64) {
        self.platform = platform
        self.bytes = bytes
        random = JitterSource(seed: seed)
    }

    /// The next payload.
    package mutating func next() -> [UInt8] {
        count += 1
        let category = Self.categories.randomElement(using: &random) ?? "World"
        let title = sentence(words: 3)
        let article = String(random.next(), radix: 16)
        let badge = Int.random(in: 1...99, using: &random)
        func assembled(_ text: String) -> String {
            switch platform {
            case .apple:
                "{\"aps\":{\"alert\":{\"title\":\"\(title)\",\"body\":\"\(text)\"},\"badge\":\(badge),"
                    + "\"sound\":\"default\",\"thread-id\":\"\(category)\"},\"id\":\(count),"
                    + "\"url\":\"https://news.example/\(category)/\(article)\"}"
            case .fcmV1:
                "{\"message\":{\"notification\":{\"title\":\"\(title)\",\"body\":\"\(text)\"},"
                    + "\"data\":{\"category\":\"\(category)\",\"id\":\"\(count)\","
                    + "\"url\":\"https://news.example/\(category)/\(article)\"}}}"
            default:
                "{\"data\":{\"title\":\"\(title)\",\"message\":\"\(text)\","
                    + "\"category\":\"\(category)\",\"badge\":\"\(badge)\",\"id\":\"\(count)\","
                    + "\"url\":\"https://news.example/\(category)/\(article)\"}}"
            }
        }
        var text = sentence(words: 2)
        while assembled(text).utf8.count < bytes { text += " " + sentence(words: 1) }
        return Array(assembled(text).utf8)
    }

    private mutating func sentence(words count: Int) -> String {
        (0..<count)
            .map { _ in Self.words.randomElement(using: &random) ?? "news" }
            .joined(separator: " ")
    }
}
