/// Percent-encoding of URI parts over bytes.
package enum PercentCoding {
    /// The bytes a text stands for; nil when a `%` is not followed by two hex digits.
    ///
    /// A `+` stays a plus. Source: REST reference §3.2.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "%") else {
                bytes.append(text[index])
                index += 1
                continue
            }
            guard index + 2 < text.count, let high = HexText.digit(text[index + 1]),
                let low = HexText.digit(text[index + 2])
            else { return nil }
            bytes.append(high << 4 | low)
            index += 3
        }
        return bytes
    }

    /// The text in which everything but `A–Z a–z 0–9 - _ . ~` is escaped.
    ///
    /// Hex digits are upper case, unless `digit` spells them otherwise.
    package static func encode(
        _ bytes: some Sequence<UInt8>,
        digit: (UInt8) -> UInt8 = HexText.upperDigit
    ) -> [UInt8] {
        var text: [UInt8] = []
        for byte in bytes {
            if isUnreserved(byte) {
                text.append(byte)
            } else {
                text.append(UInt8(ascii: "%"))
                text.append(digit(byte >> 4))
                text.append(digit(byte & 0x0F))
            }
        }
        return text
    }

    /// The same as text, for a value of a path or query.
    package static func encoded(_ text: String) -> String {
        String(decoding: encode(text.utf8), as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
