import HubVocabulary

/// Percent-decoding of paths and queries over bytes.
enum PercentText {
    /// The bytes a text stands for; a `%` without two hex digits stands for itself.
    ///
    /// In queries `+` means a space.
    ///
    /// Source: REST §2.1.
    static func decode(_ text: Substring, plusIsSpace: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        let source = Array(text.utf8)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = HexText.digit(source[index + 1]),
                let low = HexText.digit(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
                continue
            }
            let isSpace = plusIsSpace && source[index] == UInt8(ascii: "+")
            bytes.append(isSpace ? UInt8(ascii: " ") : source[index])
            index += 1
        }
        return bytes
    }
}
