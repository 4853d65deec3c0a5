import HubVocabulary

/// Escaping of text in a string of JSON.
enum JSONEscape {
    /// Appends UTF-8 text.
    static func append(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): output.append(contentsOf: [0x5C, 0x22])
            case UInt8(ascii: "\\"): output.append(contentsOf: [0x5C, 0x5C])
            case 0x08: output.append(contentsOf: "\\b".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0C: output.append(contentsOf: "\\f".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0..<0x20:
                output.append(contentsOf: "\\u00".utf8)
                output.append(HexText.upperDigit(byte >> 4))
                output.append(HexText.upperDigit(byte & 15))
            default: output.append(byte)
            }
        }
    }
}
