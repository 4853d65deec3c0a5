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

    /// The bytes a text stands for; a `%` without two hex digits stands for itself.
    ///
    /// In queries and forms `+` means a space. Source: REST reference §2.1.
    package static func decodeLeniently(
        _ text: some Collection<UInt8>,
        plusIsSpace: Bool
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(HexText.digit),
                let low = rest.dropFirst().first.flatMap(HexText.digit)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                let isSpace = plusIsSpace && byte == UInt8(ascii: "+")
                bytes.append(isSpace ? UInt8(ascii: " ") : byte)
            }
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
        append(Array(bytes)[...], to: &text, digit: digit)
        return text
    }

    /// Appends that text.
    package static func append(
        _ bytes: ArraySlice<UInt8>,
        to text: inout [UInt8],
        digit: (UInt8) -> UInt8 = HexText.upperDigit
    ) {
        for byte in bytes {
            if isUnreserved(byte) {
                text.append(byte)
            } else {
                text.append(UInt8(ascii: "%"))
                text.append(digit(byte >> 4))
                text.append(digit(byte & 0x0F))
            }
        }
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
