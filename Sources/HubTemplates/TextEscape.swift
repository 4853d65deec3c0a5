/// Escaping of inserted values, so that none can end the string, attribute or text it is in.
enum TextEscape {
    /// Appends UTF-8 text as its context needs it.
    static func append(
        _ text: ArraySlice<UInt8>,
        in context: TemplateContext,
        to output: inout [UInt8]
    ) {
        switch context {
        case .plain: output.append(contentsOf: text)
        case .header:
            for byte in text { output.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte) }
        case .jsonValue: JSONEscape.append(text, to: &output)
        case .xmlText: appendXML(text, isAttribute: false, to: &output)
        case .xmlAttribute: appendXML(text, isAttribute: true, to: &output)
        }
    }

    /// Characters that XML cannot carry at all become U+FFFD.
    private static func appendXML(
        _ text: ArraySlice<UInt8>,
        isAttribute: Bool,
        to output: inout [UInt8]
    ) {
        for (index, byte) in zip(text.indices, text) {
            switch byte {
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "\"") where isAttribute: output.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'") where isAttribute: output.append(contentsOf: "&#39;".utf8)
            case 0x09 where isAttribute: output.append(contentsOf: "&#9;".utf8)
            case 0x0A where isAttribute: output.append(contentsOf: "&#10;".utf8)
            case 0x0D: output.append(contentsOf: "&#13;".utf8)
            case 0x09, 0x0A: output.append(byte)
            case 0..<0x20: output.append(contentsOf: [0xEF, 0xBF, 0xBD])
            case 0xBE where isNoncharacterEnd(text, at: index): output.append(0xBD)
            case 0xBF where isNoncharacterEnd(text, at: index): output.append(0xBD)
            default: output.append(byte)
            }
        }
    }

    /// Whether the byte at `index` ends U+FFFE or U+FFFF (EF BF BE, EF BF BF).
    private static func isNoncharacterEnd(_ text: ArraySlice<UInt8>, at index: Int) -> Bool {
        index >= text.startIndex + 2 && text[index - 1] == 0xBF && text[index - 2] == 0xEF
    }
}
