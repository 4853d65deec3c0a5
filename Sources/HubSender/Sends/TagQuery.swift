/// Which registrations a send reaches: tags joined by `&&`, `||` and `!`.
///
///     "Sports" && !"locale:fr"
///
/// A literal is the text of an expression. A tag that is made of something at run time is given as
/// `TagQuery(tag:)`, so that no part of it can be read as an operator. The hub checks length
/// and number, and its refusal names the tag. Source: REST §6.2.
public struct TagQuery: Hashable, Sendable, ExpressibleByStringLiteral {
    /// Why a text is no tag.
    public enum Fault: Error, Hashable, Sendable {
        /// There is nothing in it.
        case empty
        /// It holds what has another meaning, or none; of ASCII, letters, digits and `_ @ # . : -`
        /// make a tag.
        case character(String)
    }

    /// How tightly an expression holds together.
    private enum Binding: Int {
        case or
        case and
        case tag
    }

    /// The expression as it stands in the header of a send.
    public let text: String

    /// The text of an expression, such as `World || Sports`.
    public init(stringLiteral text: String) { self.text = text }

    /// An expression that is read from somewhere; the hub refuses what is none.
    public init(text: String) { self.text = text }

    /// One tag.
    /// - Throws: `Fault`.
    public init(tag: String) throws(Fault) {
        guard !tag.isEmpty else { throw .empty }
        for character in tag.unicodeScalars {
            switch character {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "@", "#", ".", ":", "-": break
            // Letters of every script may stand in a tag; the hub knows which they are.
            case _ where !character.isASCII && !character.properties.isWhitespace: break
            default: throw .character(String(character))
            }
        }
        text = tag
    }

    private var binding: Binding {
        if text.contains("||") { return .or }
        return text.contains("&&") ? .and : .tag
    }

    /// The text, in parentheses where it would fall apart beside a tighter operator.
    private func text(within binding: Binding) -> String {
        self.binding.rawValue < binding.rawValue ? "(\(text))" : text
    }

    /// Registrations that satisfy both.
    public static func && (left: TagQuery, right: TagQuery) -> TagQuery {
        TagQuery(text: "\(left.text(within: .and)) && \(right.text(within: .and))")
    }

    /// Registrations that satisfy one of them.
    public static func || (left: TagQuery, right: TagQuery) -> TagQuery {
        TagQuery(text: "\(left.text) || \(right.text)")
    }

    /// Registrations that do not satisfy it.
    public static prefix func ! (expression: TagQuery) -> TagQuery {
        // Two negations cancel each other; a hub reads only one.
        guard !expression.text.hasPrefix("!") || expression.binding != .tag else {
            return TagQuery(text: String(expression.text.dropFirst()))
        }
        return TagQuery(text: "!\(expression.text(within: .tag))")
    }
}

extension TagQuery.Fault: CustomStringConvertible {
    /// One readable line.
    public var description: String {
        switch self {
        case .empty: "a tag cannot be empty"
        case .character(let found):
            "'\(found)' cannot stand in a tag: letters, digits and _ @ # . : - can"
        }
    }
}
