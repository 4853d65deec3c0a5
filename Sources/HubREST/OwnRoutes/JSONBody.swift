import FoundationEssentials

/// JSON bodies of answers.
enum JSONBody {
    /// Their media type.
    static let type = "application/json; charset=utf-8"

    /// 200 with a value; keys in alphabetical order.
    static func answer(_ value: some Encodable) -> Answer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts, numbers and lists of them always encode.
        let body = (try? encoder.encode(value)).map { Array($0) } ?? []
        return Answer(status: 200, headers: [("Content-Type", type)], body: body)
    }
}
