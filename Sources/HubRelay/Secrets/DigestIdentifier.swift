import COpenSSL
import HubVocabulary

/// A UUID of version 8 that is a text's SHA-256, as far as there is room.
///
/// Source: RFC 9562.
enum DigestIdentifier {
    private static let (digits, characters) = (32, 36)

    /// Its 36 characters; each request has one, so they are written where the string keeps them.
    static func text(of text: [UInt8]) -> String {
        // The text outlives the call, which reads as many bytes as it has.
        let half = unsafe belfry_digest(text, text.count)
        let high = half.high & ~0xF000 | 0x8000
        let low = half.low & ~(0xC000 << 48) | 0x8000 << 48
        // Each of the bytes is written, and is ASCII.
        return unsafe String(unsafeUninitializedCapacity: characters) { bytes in
            var place = 0
            for index in 0..<digits {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    unsafe bytes[place] = UInt8(ascii: "-")
                    place += 1
                }
                let rest = (index < digits / 2 ? high : low) >> UInt64(60 - index % 16 * 4)
                unsafe bytes[place] = HexText.lowerDigit(UInt8(truncatingIfNeeded: rest & 0xF))
                place += 1
            }
            return place
        }
    }
}
