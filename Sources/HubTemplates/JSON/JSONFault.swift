/// Why a text is not the JSON that was asked for.
package enum JSONFault: Hashable, Sendable {
    /// Not UTF-8.
    case notUTF8
    /// Something else was expected here.
    case unexpectedByte
    /// The text stops in the middle.
    case unexpectedEnd
    /// A backslash with something after it that JSON does not know.
    case badEscape
    /// A `\u` escape that is half of a pair.
    case loneSurrogate
    /// A control character inside a string.
    case controlCharacter
    /// A number without digits where they must be.
    case badNumber
    /// Objects and arrays are nested too deeply.
    case tooDeep(limit: Int)
    /// Something follows the value.
    case trailingBytes
    /// A value other than an object.
    case notAnObject
    /// The text is too long.
    case tooLarge(bytes: Int, limit: Int)

    /// A sentence for the caller.
    package var reason: String {
        switch self {
        case .notUTF8: "The text is not UTF-8."
        case .unexpectedByte: "The JSON is malformed: unexpected character."
        case .unexpectedEnd: "The JSON is malformed: it ends too early."
        case .badEscape: "The JSON is malformed: unknown escape in a string."
        case .loneSurrogate: "The JSON holds half of a surrogate pair."
        case .controlCharacter: "The JSON is malformed: control character in a string."
        case .badNumber: "The JSON is malformed: a number lacks digits."
        case .tooDeep(let limit): "The JSON is nested more than \(limit) levels deep."
        case .trailingBytes: "The JSON is malformed: text after its end."
        case .notAnObject: "The JSON is not an object."
        case .tooLarge(let bytes, let limit): "\(bytes) bytes exceed the limit of \(limit)."
        }
    }
}
