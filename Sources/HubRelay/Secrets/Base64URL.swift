import HubVocabulary

/// Base64 with the alphabet for addresses and without padding, as tokens and Web Push use it.
package enum Base64URL {
    /// The text of some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(
            Base64.encode(bytes).compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            }
        )
    }

    /// The bytes of a text in either alphabet, padded or not; nil when it is not base64.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        Base64.decode(
            text.map { byte in
                switch byte {
                case UInt8(ascii: "-"): UInt8(ascii: "+")
                case UInt8(ascii: "_"): UInt8(ascii: "/")
                default: byte
                }
            }
        )
    }
}
