/// Why a byte string can't be a tag; positions count bytes from 0.
package enum TagProblem: Error, Equatable, Sendable {
    /// No bytes at all.
    case empty
    /// More than `limit` bytes.
    case tooLong(limit: Int)
    /// The bytes at `position` aren't UTF-8.
    case malformedUTF8(position: Int)
    /// The character at `position` is none a tag may have.
    case forbidden(position: Int)

    /// A sentence for the detail of a refused request; it quotes no part of the input.
    package var reason: String {
        switch self {
        case .empty:
            "A tag can't be empty."
        case .tooLong(let limit):
            "A tag can't be longer than \(limit) bytes."
        case .malformedUTF8(let position):
            "The tag isn't valid UTF-8 at byte \(position) (counted from 0)."
        case .forbidden(let position):
            "The tag has a forbidden character at byte \(position) (counted from 0): letters, "
                + "digits and _ @ # . : - are allowed."
        }
    }
}
