/// Hex digits over bytes; both cases are read, upper case is written.
///
/// Generic functions here are inlinable: not specialised, they took a twentieth of a relayed
/// notification.
@usableFromInline package enum HexText {
    /// The value of a digit; nil when it is none.
    @inlinable
    package static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The value of a digit, and 16 or more for what is none.
    ///
    /// Without branches: where digits and letters mix at random, a processor guesses wrong at every
    /// other one.
    @inlinable
    package static func value(_ byte: UInt8) -> UInt8 {
        let digit = byte &- UInt8(ascii: "0")
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        let ofLetter = letter < 6 ? letter &+ 10 : .max
        return digit < 10 ? digit : ofLetter
    }

    /// Whether a text is hex digits and nothing else.
    @inlinable
    package static func isHex(_ text: some Sequence<UInt8>) -> Bool {
        text.reduce(UInt8(0)) { $0 | value($1) } < 16
    }

    /// The digit of a value 0...15.
    @inlinable
    package static func upperDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// The same in lower case.
    @inlinable
    package static func lowerDigit(_ value: UInt8) -> UInt8 { ASCII.lower(upperDigit(value)) }

    /// Two lower-case digits a byte, as text.
    @inlinable
    package static func lowercase(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: ASCII.lower(encode(bytes)), as: UTF8.self)
    }

    /// Two digits a byte.
    @inlinable
    package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            text.append(upperDigit(byte >> 4))
            text.append(upperDigit(byte & 0x0F))
        }
        return text
    }

    /// The bytes of an even number of digits; nil when the text is anything else.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var all: UInt8 = 0
        var index = 0
        while index < text.count {
            let (high, low) = (value(text[index]), value(text[index + 1]))
            all |= high | low
            bytes.append(high << 4 | low)
            index += 2
        }
        return all < 16 ? bytes : nil
    }

    /// A number's digits in lower case, as many as its type has.
    package static func digits<Number: FixedWidthInteger & UnsignedInteger>(
        _ number: Number
    ) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: Number.bitWidth / 4 - digits.utf8.count) + digits
    }

    /// The number of a text in either case; nil unless it has as many digits as the number's type.
    package static func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ text: some Collection<UInt8>
    ) -> Number? {
        guard text.count == Number.bitWidth / 4 else { return nil }
        var number: Number = 0
        for byte in text {
            guard let digit = digit(byte) else { return nil }
            number = number << 4 | Number(digit)
        }
        return number
    }
}
