import FoundationEssentials

/// A JSON value of a document that is made here; keys come out in alphabetical order.
package enum DocumentValue: Codable, Sendable, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([DocumentValue])
    case object([String: DocumentValue])

    /// A text.
    package init(stringLiteral value: String) { self = .text(value) }

    /// A number.
    package init(integerLiteral value: Int) { self = .number(value) }

    /// A flag.
    package init(booleanLiteral value: Bool) { self = .flag(value) }

    /// A list.
    package init(arrayLiteral elements: DocumentValue...) { self = .list(elements) }

    /// An object of these members.
    package init(dictionaryLiteral elements: (String, DocumentValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        func read<Value: Decodable>(_ form: Value.Type) -> Value? {
            // A value of another form is tried as the next one; the last attempt throws.
            try? container.decode(form)
        }
        if let value = read(Bool.self) {
            self = .flag(value)
        } else if let value = read(Int.self) {
            self = .number(value)
        } else if let value = read(String.self) {
            self = .text(value)
        } else if let values = read([DocumentValue].self) {
            self = .list(values)
        } else {
            self = .object(try container.decode([String: DocumentValue].self))
        }
    }

    /// Reads JSON without fractions and nulls; nil when it is something else.
    package init?(parsing json: [UInt8]) {
        // An example that is no such JSON is shown as text.
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(json)) else {
            return nil
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .flag(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }

    /// The value as JSON without white space.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and whole numbers always encode.
        return (try? encoder.encode(self)).map { Array($0) } ?? []
    }

    /// The same object with more members; anything else stays as it is.
    package func adding(_ members: [String: DocumentValue]) -> DocumentValue {
        guard case .object(let own) = self else { return self }
        return .object(own.merging(members) { _, new in new })
    }
}
