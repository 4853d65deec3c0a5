/// Writes XML on one line, escaping what callers stored.
///
/// Source: REST §4.12.
package struct XMLOutput {
    /// The text so far.
    package private(set) var bytes: [UInt8] = []
    /// Whether line feeds of values are written as references.
    private let isOneLine: Bool

    /// Begins an empty text.
    package init(isOneLine: Bool = false) { self.isOneLine = isOneLine }

    /// Appends markup as it is; never stored or received text.
    package mutating func markup(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends character data.
    package mutating func text(_ text: String) { self.text(Array(text.utf8)) }

    /// Appends character data of bytes that are (nearly always) UTF-8.
    package mutating func text(_ text: [UInt8]) {
        for byte in Self.legal(text) {
            switch byte {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: ">"): markup("&gt;")
            case 0x0D: markup("&#13;")
            case 0x0A where isOneLine: markup("&#10;")
            default: bytes.append(byte)
            }
        }
    }

    /// Appends a value that stands between double quotes.
    package mutating func attribute(_ text: String) {
        for byte in Self.legal(Array(text.utf8)) {
            switch byte {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: "\""): markup("&quot;")
            case 0x09, 0x0A, 0x0D: markup("&#\(byte);")
            default: bytes.append(byte)
            }
        }
    }

    /// Appends an element with character data; nothing at all when it would be empty, because
    /// clients stumble over empty elements.
    package mutating func element(_ name: String, _ content: [UInt8]) {
        if !content.isEmpty { requiredElement(name, content) }
    }

    /// Appends an element with character data, also when it is empty.
    mutating func requiredElement(_ name: String, _ content: [UInt8]) {
        markup("<\(name)>")
        text(content)
        markup("</\(name)>")
    }

    /// Appends an element with character data, or nothing when it would be empty.
    package mutating func element(_ name: String, text: String) { element(name, Array(text.utf8)) }

    /// Appends an element with a CDATA section, split where `]]>` or a carriage return occurs;
    /// nothing when it would be empty.
    mutating func cdataElement(_ name: String, _ content: [UInt8]) {
        guard !content.isEmpty else { return }
        markup("<\(name)><![CDATA[")
        var brackets = 0
        for byte in Self.legal(content) {
            switch byte {
            case UInt8(ascii: ">") where brackets >= 2: markup("]]><![CDATA[>")
            case 0x0D: markup("]]>&#13;<![CDATA[")
            case 0x0A where isOneLine: markup("]]>&#10;<![CDATA[")
            default: bytes.append(byte)
            }
            brackets = byte == UInt8(ascii: "]") ? brackets + 1 : 0
        }
        markup("]]></\(name)>")
    }

    /// UTF-8 that XML 1.0 can carry: what it cannot becomes U+FFFD.
    private static func legal(_ text: [UInt8]) -> [UInt8] {
        let repaired = String(decoding: text, as: UTF8.self)
        guard repaired.unicodeScalars.contains(where: { !isLegal($0) }) else {
            return Array(repaired.utf8)
        }
        var scalars = String.UnicodeScalarView()
        for scalar in repaired.unicodeScalars {
            scalars.append(isLegal(scalar) ? scalar : "\u{FFFD}")
        }
        return Array(String(scalars).utf8)
    }

    private static func isLegal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
