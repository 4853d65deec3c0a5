/// Questions about bytes of text that more than one scanner of templates asks.
package enum TextBytes {
    /// The offset of the first byte that is not UTF-8; nil when all of it is.
    package static func invalidUTF8Offset(_ bytes: Span<UInt8>) -> Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }

    /// ASCII letter.
    package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// A byte of a property name.
    ///
    /// Source: REST reference §7.3.
    package static func isName(_ byte: UInt8) -> Bool {
        isLetter(byte) || ASCII.isDigit(byte) || byte == 0x5F
    }

    /// Appends a scalar's UTF-8; `scalar` must not be a surrogate.
    package static func appendUTF8(_ scalar: UInt32, to bytes: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(scalar) else {
            preconditionFailure("appendUTF8: U+\(String(scalar, radix: 16)) is no scalar")
        }
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}

extension Collection<UInt8> {
    /// Whether these bytes spell `word`, without case.
    @inlinable
    package func spells(_ word: String) -> Bool { ASCII.equal(self, word.utf8) }
}
