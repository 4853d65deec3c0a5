import HubVocabulary

/// Which characters XML 1.0 allows where.
enum XMLNames {
    /// `NameStartChar` beyond ASCII (XML 1.0, fifth edition, production 4).
    private static let startRanges: [ClosedRange<UInt32>] = [
        0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
        0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
        0x10000...0xEFFFF,
    ]
    /// The further characters that `NameChar` allows behind the first.
    private static let innerRanges: [ClosedRange<UInt32>] = [
        0xB7...0xB7, 0x300...0x36F, 0x203F...0x2040,
    ]

    /// The end of the name that begins at `start`; nil when none does.
    ///
    /// `bytes` must be UTF-8.
    static func end(of bytes: [UInt8], from start: Int) -> Int? {
        var position = start
        while position < bytes.count {
            let (scalar, length) = scalar(of: bytes, at: position)
            let fits = isStart(scalar) || (position > start && isInner(scalar))
            guard fits else { break }
            position += length
        }
        return position > start ? position : nil
    }

    /// `Char`: everything a document may hold, as itself or as a numeric reference.
    static func isCharacter(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// The offset of the first character a document may not hold; nil when there is none.
    static func invalidCharacterOffset(_ bytes: [UInt8]) -> Int? {
        var position = 0
        while position < bytes.count {
            let (scalar, length) = scalar(of: bytes, at: position)
            guard isCharacter(scalar) else { return position }
            position += length
        }
        return nil
    }

    private static func isStart(_ scalar: UInt32) -> Bool {
        if scalar < 0x80 {
            let byte = UInt8(scalar)
            return TextBytes.isLetter(byte) || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: ":")
        }
        return startRanges.contains { $0.contains(scalar) }
    }

    private static func isInner(_ scalar: UInt32) -> Bool {
        if scalar < 0x80 {
            let byte = UInt8(scalar)
            return ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
        return innerRanges.contains { $0.contains(scalar) }
    }

    /// Decodes the scalar at `position` of valid UTF-8, with its length.
    private static func scalar(of bytes: [UInt8], at position: Int) -> (UInt32, Int) {
        let first = bytes[position]
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard length > 1 else { return (UInt32(first), 1) }
        var scalar = UInt32(first) & (0x7F >> UInt32(length))
        for index in position + 1..<position + length {
            scalar = scalar << 6 | UInt32(bytes[index] & 0x3F)
        }
        return (scalar, length)
    }
}
