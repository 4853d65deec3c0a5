import HubVocabulary

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
    package static func decode(_ range: Range<Int>, of text: Span<UInt8>) -> [UInt8] {
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
