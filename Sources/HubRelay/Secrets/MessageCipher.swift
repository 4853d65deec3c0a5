import COpenSSL

/// The encryption of Web Push, by OpenSSL's own functions: each message has a key of its own.
///
/// No array of Swift's holds what is derived for a message: Swift does not wipe its memory.
enum MessageCipher {
    private static let (privateBytes, pointBytes, saltBytes) = (32, 65, 16)
    /// Bytes of a message beside its text: head, mark and tag.
    private static let extraBytes = 86 + 1 + 16

    /// Whether bytes are a point of the curve, in the long form.
    static func isPoint(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == pointBytes else { return false }
        // As many bytes are read as there are.
        return unsafe belfry_is_point(bytes) == 1
    }

    /// A text for a subscription with this public point and secret, under a private key and a salt
    /// that serve once; nil for a key or a point that is none, and when memory is short.
    static func message(
        _ text: [UInt8],
        to point: [UInt8],
        secret: [UInt8],
        key: [UInt8],
        salt: [UInt8]
    ) -> [UInt8]? {
        guard key.count == privateBytes, point.count == pointBytes else { return nil }
        precondition(secret.count == saltBytes && salt.count == saltBytes)
        var message = [UInt8](repeating: 0, count: text.count + extraBytes)
        // All outlive the call, which reads and writes as many bytes as they have.
        let isMade = unsafe belfry_message(
            key,
            salt,
            point,
            secret,
            text,
            text.count,
            &message
        )
        return isMade == 1 ? message : nil
    }

    /// Wipes bytes where they are, unless someone else has them too.
    static func wipe(_ bytes: inout [UInt8]) {
        // The buffer is written before the call returns.
        unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
        }
    }
}
