/// Why a tag expression is refused; positions count bytes from 0.
package enum TagError: Error, Equatable, Sendable {
    /// Nothing but blanks.
    case emptyExpression
    /// The whole expression is longer than `limit` bytes.
    case expressionTooLong(limit: Int)
    /// Something other than what the grammar allows begins here; at the end of the text, something
    /// is missing.
    case unexpected(position: Int)
    /// The parenthesis or brace at `position` is never closed.
    case unterminated(position: Int)
    /// The parenthesis at `position` is nested deeper than `limit`.
    case nestingTooDeep(position: Int, limit: Int)
    /// The byte at `position` makes a tag that can't exist: not UTF-8, an unknown `$` form, an
    /// empty or forbidden text in braces.
    case invalidTag(position: Int)
    /// The tag that begins at `position` is longer than `limit` bytes.
    case tagTooLong(position: Int, limit: Int)
    /// The expression names more tags than `limit`, the one that holds for its operators.
    case tooManyTags(limit: Int)

    /// A sentence for the detail of a refused request; it quotes no part of the input.
    package var reason: String {
        switch self {
        case .emptyExpression:
            "The tag expression is empty."
        case .expressionTooLong(let limit):
            "The tag expression is longer than \(limit) bytes."
        case .unexpected(let position):
            "The tag expression can't be read from byte \(position) on (counted from 0): "
                + "a tag, '!', '(', ')', '&&' or '||' was expected."
        case .unterminated(let position):
            "What opens at byte \(position) of the tag expression (counted from 0) is never closed."
        case .nestingTooDeep(let position, let limit):
            "The parenthesis at byte \(position) of the tag expression (counted from 0) is nested "
                + "deeper than \(limit)."
        case .invalidTag(let position):
            "The tag at byte \(position) of the tag expression (counted from 0) isn't a valid tag."
        case .tagTooLong(let position, let limit):
            "The tag at byte \(position) of the tag expression (counted from 0) is longer than "
                + "\(limit) bytes."
        case .tooManyTags(let limit):
            "The tag expression names more than \(limit) tags, the most its operators allow."
        }
    }
}
