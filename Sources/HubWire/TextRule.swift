/// The rule for the bytes of a `str8`: UTF-8 in its shortest form, without control characters.
enum TextRule {
    /// Whether the bytes are well-formed UTF-8 without U+0000 to U+001F and U+007F.
    ///
    /// Refuses overlong forms, surrogates, and what is above U+10FFFF. Source: Protocol [F-4].
    static func accepts(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let length = scalarLength(bytes, at: index)
            guard length > 0 else { return false }
            index += length
        }
        return true
    }

    /// Bytes of the allowed character at `index`; 0 where there is none.
    static func scalarLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
        let first = bytes[index]
        if first < 0x80 { return first >= 0x20 && first != 0x7F ? 1 : 0 }
        let length: Int
        // The second byte's range is what rules out overlong forms, surrogates and big values.
        let second: ClosedRange<UInt8>
        switch first {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard length <= bytes.count - index, second.contains(bytes[index + 1]) else { return 0 }
        for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
