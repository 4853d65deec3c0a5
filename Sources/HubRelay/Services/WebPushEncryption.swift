/// Encryption for one subscription of a browser (RFC 8291, RFC 8188).
///
/// The caller draws key and salt, anew for each message, so that this stays without dice:
///
///     | salt: 16 | record size: u32 | 65 | public key: 65 | AES-128-GCM of text, 0x02 | tag: 16 |
package enum WebPushEncryption {
    /// Bytes of a text at most: the encrypted body has 4,096.
    package static let textBytesMax = 3_993

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
    ///
    /// Wipes the key that was drawn: it serves once.
    package static func encrypt(
        _ text: [UInt8],
        to subscriber: SubscriberKey,
        secret: [UInt8],
        draw: inout Draw
    ) -> [UInt8]? {
        precondition(text.count <= textBytesMax)
        defer { MessageCipher.wipe(&draw.key) }
        return MessageCipher.message(
            text,
            to: subscriber.bytes,
            secret: secret,
            key: draw.key,
            salt: draw.salt
        )
    }
}
