/// Base64 with the standard alphabet, as keys and signatures use it.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    /// The padded text of some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var start = 0
        while start < bytes.count {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
            }
            for place in 0..<4 {
                let index = Int(group >> UInt32(18 - 6 * place) & 0x3F)
                text.append(place <= count ? alphabet[index] : UInt8(ascii: "="))
            }
            start += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text, padded or not; nil when it is not base64.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        var body = text[...]
        while body.last == UInt8(ascii: "="), text.count - body.count < 2 { body.removeLast() }
        guard body.count % 4 != 1, body.count == text.count || text.count % 4 == 0 else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count * 3 / 4)
        var group: UInt32 = 0
        var bits = 0
        for byte in body {
            guard let value = sextet(byte) else { return nil }
            group = group << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        return bytes
    }

    private static func sextet(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
