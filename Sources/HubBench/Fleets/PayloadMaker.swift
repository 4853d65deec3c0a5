import HubClient
import HubVocabulary

/// Makes JSON payloads like those of a news app, each different, the same ones again for the same seed.
struct PayloadMaker: Sendable {
    private static let words = [
        "market", "council", "launch", "river", "storm", "signal", "budget", "museum", "harbor",
        "treaty", "engine", "forest", "player", "record", "border", "summit", "planet", "camera",
        "bridge", "winter", "minister", "satellite", "festival", "election", "laboratory", "season",
    ]
    private static let categories = [
        "World", "Politics", "Business", "Technology", "Science", "Sports",
    ]

    private let bytes: Int
    private var random: SeededRandom
    private var count = 0

    /// Payloads for native registrations of FCM, which are what all devices of benchmarks have.
    ///
    /// - Parameters:
    ///   - bytes: about how long each is; the frame alone takes some 190.
    ///   - seed: decides the words.
    init(bytes: Int, seed: UInt64) {
        self.bytes = bytes
        random = SeededRandom(seed: seed)
    }

    /// The next payload.
    mutating func next() -> [UInt8] {
        count += 1
        let category = Self.categories.randomElement(using: &random) ?? "World"
        let title = sentence(words: 3)
        let article = String(random.next(), radix: 16)
        let badge = Int.random(in: 1...99, using: &random)
        func assembled(_ text: String) -> String {
            "{\"data\":{\"title\":\"\(title)\",\"message\":\"\(text)\","
                + "\"category\":\"\(category)\",\"badge\":\"\(badge)\",\"id\":\"\(count)\","
                + "\"url\":\"https://news.example/\(category)/\(article)\"}}"
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
