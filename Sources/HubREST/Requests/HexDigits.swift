import HubVocabulary

/// Numbers as hex digits; the tokens of lists are made of them.
enum HexDigits {
    /// Lower case, as many as the number's type has.
    static func text<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: Number.bitWidth / 4 - digits.utf8.count) + digits
    }

    /// The number of a text in either case; nil unless it has as many digits as the number's type.
    static func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ text: some Collection<UInt8>
    ) -> Number? {
        guard text.count == Number.bitWidth / 4 else { return nil }
        var number: Number = 0
        for byte in text {
            guard let digit = HexText.digit(byte) else { return nil }
            number = number << 4 | Number(digit)
        }
        return number
    }
}
