/// Why a text is not the JSON that was asked for.
package enum JSONFault: Hashable, Sendable {
    /// Not UTF-8.
    case notUTF8
    /// Something else was expected here.
    case unexpectedByte
    /// The text stops in the middle.
    case unexpectedEnd
    /// A backslash with something after it that JSON does not know.
    case badEscape
    /// A `\u` escape that is half of a pair.
    case loneSurrogate
    /// A control character inside a string.
    case controlCharacter
    /// A number without digits where they must be.
    case badNumber
    /// Objects and arrays are nested too deeply.
    case tooDeep(limit: Int)
    /// Something follows the value.
    case trailingBytes
    /// A value other than an object.
    case notAnObject
    /// The text is too long.
    case tooLarge(bytes: Int, limit: Int)

    /// A sentence for the caller.
    package var reason: String {
        switch self {
        case .notUTF8: "The text is not UTF-8."
        case .unexpectedByte: "The JSON is malformed: unexpected character."
        case .unexpectedEnd: "The JSON is malformed: it ends too early."
        case .badEscape: "The JSON is malformed: unknown escape in a string."
        case .loneSurrogate: "The JSON holds half of a surrogate pair."
        case .controlCharacter: "The JSON is malformed: control character in a string."
        case .badNumber: "The JSON is malformed: a number lacks digits."
        case .tooDeep(let limit): "The JSON is nested more than \(limit) levels deep."
        case .trailingBytes: "The JSON is malformed: text after its end."
        case .notAnObject: "The JSON is not an object."
        case .tooLarge(let bytes, let limit): "\(bytes) bytes exceed the limit of \(limit)."
        }
    }
}

/// A `JSONFault` and where it is.
package struct JSONTextError: Error, Hashable, Sendable {
    /// Byte offset into the text.
    package var offset: Int
    /// What is wrong there.
    package var fault: JSONFault

    /// Makes an error.
    package init(offset: Int, fault: JSONFault) {
        self.offset = offset
        self.fault = fault
    }

    /// A sentence for the caller, with the position.
    package var reason: String { "\(fault.reason) (at byte \(offset))" }
}

/// Checks and decodes JSON without building trees.
package enum JSONText {
    /// Refuses anything but one well-formed JSON value, and optionally anything but an object.
    ///
    /// Linear in the text; allocates one byte per level of nesting.
    package static func validate(
        _ text: Span<UInt8>,
        depthMax: Int,
        requiresObject: Bool = false
    ) throws(JSONTextError) {
        var scanner = try JSONScanner(text, depthMax: depthMax)
        var event = try scanner.next()
        if requiresObject, event != .beginObject {
            throw JSONTextError(offset: 0, fault: .notAnObject)
        }
        while event != .end { event = try scanner.next() }
    }

    /// The bytes that the string at `range` stands for; the scanner has checked its escapes.
    static func decode(_ range: Range<Int>, of text: Span<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = text[position]
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                decoded.append(byte)
                continue
            }
            let kind = text[position]
            position += 1
            switch kind {
            case UInt8(ascii: "b"): decoded.append(0x08)
            case UInt8(ascii: "f"): decoded.append(0x0C)
            case UInt8(ascii: "n"): decoded.append(0x0A)
            case UInt8(ascii: "r"): decoded.append(0x0D)
            case UInt8(ascii: "t"): decoded.append(0x09)
            case UInt8(ascii: "u"): appendScalar(of: text, at: &position, to: &decoded)
            default: decoded.append(kind)
            }
        }
        return decoded
    }

    private static func appendScalar(
        of text: Span<UInt8>,
        at position: inout Int,
        to decoded: inout [UInt8]
    ) {
        var scalar = unit(of: text, at: position)
        position += 4
        if scalar & 0xFC00 == 0xD800 {
            let low = unit(of: text, at: position + 2)
            position += 6
            scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
        }
        TextBytes.appendUTF8(scalar, to: &decoded)
    }

    private static func unit(of text: Span<UInt8>, at position: Int) -> UInt32 {
        (position..<position + 4).reduce(0) { $0 << 4 | UInt32(HexText.digit(text[$1]) ?? 0) }
    }
}
