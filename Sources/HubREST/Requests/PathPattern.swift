/// The path of a resource, with names in braces for what differs: `/{hub}/registrations/{id}`.
///
/// Source: REST §1.3, §2.1.
package struct PathPattern: Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// One segment.
    private enum Part: Hashable {
        /// A fixed word in lower case; compares without ASCII case.
        case word([UInt8])
        /// Anything; `{hub}` must not be empty.
        case parameter(String)
    }

    /// The pattern as the table and the documents spell it.
    package let description: String
    private let parts: [Part]

    /// Reads a pattern; it begins with `/` and each part is a word or a name in braces.
    package init(stringLiteral text: String) {
        description = text
        parts = text.split(separator: "/").map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .parameter(String(part.dropFirst().dropLast()))
                : .word(part.lowercased().utf8.map { $0 })
        }
        precondition(text.hasPrefix("/"), "\(text) is no pattern.")
    }

    /// The names in braces, in order.
    package var parameters: [String] {
        parts.compactMap { part in
            if case .parameter(let name) = part { name } else { nil }
        }
    }

    /// How many segments a path must have.
    package var segmentCount: Int { parts.count }

    /// The group of its operations in documents: its first word that is no name.
    var family: String {
        let words = description.split(separator: "/").filter { !$0.hasPrefix("{") }
        return words.first.map(String.init) ?? "hubs"
    }

    /// Whether decoded segments fit.
    package func matches(_ segments: [[UInt8]]) -> Bool {
        guard segments.count == parts.count else { return false }
        return zip(parts, segments).allSatisfy { part, segment in
            switch part {
            case .word(let word):
                word.count == segment.count
                    && zip(word, segment).allSatisfy { $0 == Self.lower($1) }
            case .parameter(let name): name != "hub" || !segment.isEmpty
            }
        }
    }

    /// The place of a name among the segments; nil when the pattern does not have it.
    package func place(of name: String) -> Int? { parts.firstIndex(of: .parameter(name)) }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
