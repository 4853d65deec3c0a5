import FoundationEssentials

/// An answer of the hub that keeps the text it was read from.
protocol KeptAnswer: Decodable {
    /// The answer as it came.
    var json: String { get set }
}

extension KeptAnswer {
    /// Reads an answer; nil when it is none.
    init?(json text: String) {
        // The caller's error says what is missing, and not in a decoder's words.
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
            return nil
        }
        self = read
        json = text
    }
}
