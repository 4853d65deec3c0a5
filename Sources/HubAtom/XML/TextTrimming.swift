/// Trimming of XML's blanks over bytes.
package enum TextTrimming {
    /// Without blanks, tabs and line ends at both ends.
    package static func trimmed(_ text: [UInt8]) -> [UInt8] {
        let isBlank = { (byte: UInt8) in
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }
        guard let first = text.firstIndex(where: { !isBlank($0) }),
            let last = text.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(text[first...last])
    }
}
