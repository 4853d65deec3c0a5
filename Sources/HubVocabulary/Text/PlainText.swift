/// The rules for texts that reach logs, XML and devices.
@usableFromInline package enum PlainText {
    /// Well-formed UTF-8.
    package static func isUTF8(_ text: Span<UInt8>) -> Bool {
        TextBytes.invalidUTF8Offset(text) == nil
    }

    /// Well-formed UTF-8 without control characters.
    package static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] < 0x20 || text[index] == 0x7F { return false }
        return isUTF8(text)
    }

    /// A text for a person's eyes: at most 120 characters, without control characters.
    package static func shown(_ text: Span<UInt8>) -> String {
        let readable = String(decoding: text.bytes(in: 0..<text.count), as: UTF8.self)
        let scalars = readable.unicodeScalars.prefix(120).map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// 1 or more visible ASCII characters.
    ///
    /// Inlinable: each handle comes here, and called from another target it was not specialised.
    @inlinable
    package static func isVisibleASCII(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
