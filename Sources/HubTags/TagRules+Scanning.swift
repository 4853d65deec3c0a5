// The scanners that tag checks and the expression parser share, so that a tag which may be stored can
// also be named in an expression.

extension TagRules {
    /// Where the run of tag characters ends, or the first byte of it that isn't UTF-8.
    enum TagEnd: Equatable {
        case end(Int)
        case malformed(Int)
    }

    /// The end of a token that begins with `$`, or the reason why it has none.
    enum ReservedEnd: Equatable {
        case end(Int)
        /// Neither `$InstallationId:{` nor `$UserId:{`.
        case unknown
        /// The brace at this position is never closed.
        case unterminated(brace: Int)
        case forbidden(Int)
        case malformed(Int)
    }

    /// The end of the tag characters from `start` on; `start` itself when there is none.
    static func endOfTag(in bytes: Span<UInt8>, from start: Int) -> TagEnd {
        var position = start
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                guard isTagCharacter(byte) else { return .end(position) }
                position += 1
                continue
            }
            guard let (scalar, length) = decodeScalar(in: bytes, at: position) else {
                return .malformed(position)
            }
            guard isLetterOrDigit(scalar) else { return .end(position) }
            position += length
        }
        return .end(position)
    }

    /// The end of `$InstallationId:{…}` or `$UserId:{…}` at `start`, behind the closing brace.
    ///
    /// The text in braces is 1 byte or more of UTF-8 without control characters and braces.
    static func endOfReservedTag(in bytes: Span<UInt8>, from start: Int) -> ReservedEnd {
        guard let open = openingBrace(in: bytes, from: start) else { return .unknown }
        var position = open + 1
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "}") {
                return position > open + 1 ? .end(position + 1) : .forbidden(position)
            }
            if byte < 0x80 {
                guard byte >= 0x20, byte != 0x7F, byte != UInt8(ascii: "{") else {
                    return .forbidden(position)
                }
                position += 1
            } else {
                guard let (_, length) = decodeScalar(in: bytes, at: position) else {
                    return .malformed(position)
                }
                position += length
            }
        }
        return .unterminated(brace: open)
    }

    /// The position of the brace when one of the two reserved prefixes stands at `start`.
    private static func openingBrace(in bytes: Span<UInt8>, from start: Int) -> Int? {
        let rest = bytes.extracting(start..<bytes.count)
        if hasPrefix(rest, installationPrefix.span) { return start + installationPrefix.count - 1 }
        if hasPrefix(rest, userPrefix.span) { return start + userPrefix.count - 1 }
        return nil
    }

    private static let installationPrefix = Array("$InstallationId:{".utf8)
    private static let userPrefix = Array("$UserId:{".utf8)

    private static func isTagCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: ":"),  // The digits and the colon behind them.
            UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            true
        default:
            false
        }
    }

    /// Letters with their marks, digits and letter-like numbers of any script.
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber,
            .connectorPunctuation:
            true
        default:
            false
        }
    }

    /// The scalar of two to four bytes at `start`; nil for anything that isn't well-formed UTF-8.
    private static func decodeScalar(
        in bytes: Span<UInt8>,
        at start: Int
    ) -> (scalar: Unicode.Scalar, length: Int)? {
        let lead = bytes[start]
        let length: Int
        var value: UInt32
        switch lead {
        case 0xC2...0xDF: (length, value) = (2, UInt32(lead & 0x1F))
        case 0xE0...0xEF: (length, value) = (3, UInt32(lead & 0x0F))
        case 0xF0...0xF4: (length, value) = (4, UInt32(lead & 0x07))
        default: return nil
        }
        guard bytes.count - start >= length else { return nil }
        for offset in 1..<length {
            let next = bytes[start + offset]
            guard next & 0xC0 == 0x80 else { return nil }
            value = value &<< 6 | UInt32(next & 0x3F)
        }
        let smallest: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
        // The initialiser refuses surrogates and everything past U+10FFFF.
        guard value >= smallest, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }
}
