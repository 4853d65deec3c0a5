import FoundationEssentials
import HubVocabulary

/// The text form of a registration's own template variables: a JSON object of strings.
///
/// Source: REST §4.14.
enum PushVariables {
    /// The variables of a text, ascending by name; none for an empty text.
    ///
    /// - Throws: `.invalid` unless the text is a JSON object whose values are strings.
    static func read(_ text: [UInt8]) throws(Refusal) -> [NamedValue] {
        guard !text.isEmpty else { return [] }
        // The refusal says what is wanted; the decoder's own reason would add nothing.
        guard let pairs = try? JSONDecoder().decode([String: String].self, from: Data(text)) else {
            throw .invalid(field: "PushVariables", reason: "is not a JSON object of strings.")
        }
        return pairs.sorted { $0.key < $1.key }.map {
            NamedValue(name: Array($0.key.utf8), value: Array($0.value.utf8))
        }
    }

    /// The text of some variables, ascending by name; empty for none.
    static func write(_ variables: [NamedValue]) -> [UInt8] {
        guard !variables.isEmpty else { return [] }
        let pairs = variables.map {
            (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings always encode.
        let data = try? encoder.encode(Dictionary(pairs) { _, last in last })
        return data.map { Array($0) } ?? []
    }
}
