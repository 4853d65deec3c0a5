import HubVocabulary

/// Encryption for one subscription of a browser (RFC 8291, RFC 8188).
///
/// The caller draws key and salt, anew for each message, so that this stays without dice:
///
///     | salt: 16 | record size: u32 | 65 | public key: 65 | AES-128-GCM of text, 0x02 | tag: 16 |
package enum WebPushEncryption {
    /// Bytes of a text at most: the encrypted body has 4,096.
    package static let textBytesMax = 3_993
    private static let recordSize: UInt32 = 4_096

    /// The secrets of one message.
    package struct Draw: Sendable {
        /// The private key, 32 bytes; a value that is no key is drawn again.
        package var key: [UInt8]
        /// 16 bytes.
        package var salt: [UInt8]

        /// Takes what was drawn.
        package init(key: [UInt8], salt: [UInt8]) {
            self.key = key
            self.salt = salt
        }
    }

    /// The encrypted body; nil when what was drawn is no key.
    package static func encrypt(
        _ text: [UInt8],
        to subscriber: SubscriberKey,
        secret: [UInt8],
        draw: Draw
    ) -> [UInt8]? {
        precondition(text.count <= textBytesMax && draw.salt.count == 16)
        guard let (ownPublic, shared) = MessageCipher.agree(draw.key, with: subscriber.bytes)
        else { return nil }
        let points = subscriber.bytes + ownPublic
        let input = derived(from: shared, salt: secret).code(of: info("WebPush: info", points))
        let root = derived(from: input, salt: draw.salt)
        let key = root.code(of: info("Content-Encoding: aes128gcm"))
        let nonce = root.code(of: info("Content-Encoding: nonce"))
        // The text and its end mark always fit one record.
        guard let sealed = MessageCipher.seal(text + [2], key: key, nonce: nonce) else {
            return nil
        }
        var body = draw.salt
        body.reserveCapacity(draw.salt.count + 5 + ownPublic.count + sealed.count)
        body.appendBigEndian(recordSize)
        body.append(UInt8(ownPublic.count))
        body += ownPublic
        body += sealed
        return body
    }

    /// The codes under HKDF's first step: one of an `info` is the first 32 bytes of its second.
    private static func derived(from key: [UInt8], salt: [UInt8]) -> KeyedCode {
        KeyedCode(key: KeyedCode(key: salt).code(of: key))
    }

    /// A label and its context, as the first block of HKDF's second step wants them.
    private static func info(_ label: String, _ context: [UInt8] = []) -> [UInt8] {
        Array(label.utf8) + [0] + context + [1]
    }
}
