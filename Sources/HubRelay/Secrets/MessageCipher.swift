import COpenSSL

/// P-256 and AES-128-GCM, by OpenSSL's own functions: a Web Push message needs one of each.
enum MessageCipher {
    private static let (privateBytes, pointBytes, sharedBytes, tagBytes) = (32, 65, 32, 16)
    /// The bytes that are read of a key and of a nonce.
    private static let (keyBytes, nonceBytes) = (16, 12)

    /// Whether bytes are a point of the curve, in the long form.
    static func isPoint(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == pointBytes else { return false }
        // As many bytes are read as there are.
        return unsafe belfry_is_point(bytes) == 1
    }

    /// The public point of a private key, and the secret that it shares with another point; nil for
    /// a key or a point that is none.
    static func agree(
        _ key: [UInt8],
        with point: [UInt8]
    ) -> (point: [UInt8], secret: [UInt8])? {
        guard key.count == privateBytes, point.count == pointBytes else { return nil }
        var own = [UInt8](repeating: 0, count: pointBytes)
        var secret = [UInt8](repeating: 0, count: sharedBytes)
        // All four outlive the call, which reads and writes as many bytes as they have.
        guard unsafe belfry_agree(key, point, &own, &secret) == 1 else { return nil }
        return (own, secret)
    }

    /// A text with its tag, under the first 16 bytes of a key and the first 12 of a nonce; nil when
    /// memory is short.
    static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        precondition(key.count >= keyBytes && nonce.count >= nonceBytes)
        var sealed = [UInt8](repeating: 0, count: text.count + tagBytes)
        // All four outlive the call, which writes as many bytes as the last has.
        guard unsafe belfry_seal(key, nonce, text, text.count, &sealed) == 1 else { return nil }
        return sealed
    }
}
