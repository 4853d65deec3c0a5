/// What texts may hold that reach logs, XML and devices.
enum PlainText {
    /// Well-formed UTF-8.
    static func isUTF8(_ text: Span<UInt8>) -> Bool { TextBytes.invalidUTF8Offset(text) == nil }

    /// Well-formed UTF-8 without control characters.
    static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] < 0x20 || text[index] == 0x7F { return false }
        return isUTF8(text)
    }

    /// 1 or more visible ASCII characters.
    static func isVisibleASCII(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
