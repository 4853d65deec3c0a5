import Crypto
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
        // Each fault of these calls is a key that is none.
        guard let own = try? P256.KeyAgreement.PrivateKey(rawRepresentation: draw.key),
            // As above.
            let shared = try? own.sharedSecretFromKeyAgreement(with: subscriber.key)
        else { return nil }
        let ownPublic = Array(own.publicKey.x963Representation)
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: secret,
            sharedInfo: Array("WebPush: info\0".utf8) + subscriber.bytes + ownPublic,
            outputByteCount: 32
        )
        let root = HKDF<SHA256>.extract(inputKeyMaterial: input, salt: draw.salt)
        let key = derived(root, "Content-Encoding: aes128gcm\0", count: 16)
        let nonce = bytes(derived(root, "Content-Encoding: nonce\0", count: 12))
        // The text and its end mark always fit one record, and nonce and key have their lengths.
        guard let box = try? seal(text + [2], key, nonce) else { return nil }
        var body = draw.salt
        body.appendBigEndian(recordSize)
        body.append(UInt8(ownPublic.count))
        return body + ownPublic + Array(box.ciphertext) + Array(box.tag)
    }

    private static func seal(
        _ text: [UInt8],
        _ key: SymmetricKey,
        _ nonce: [UInt8]
    ) throws -> AES.GCM.SealedBox {
        try AES.GCM.seal(text, using: key, nonce: AES.GCM.Nonce(data: nonce))
    }

    private static func derived(
        _ root: HashedAuthenticationCode<SHA256>,
        _ info: String,
        count: Int
    ) -> SymmetricKey {
        HKDF<SHA256>.expand(
            pseudoRandomKey: root,
            info: Array(info.utf8),
            outputByteCount: count
        )
    }

    private static func bytes(_ key: SymmetricKey) -> [UInt8] {
        // The buffer is copied whole before the call returns, so nothing outlives it.
        unsafe key.withUnsafeBytes { buffer in unsafe Array(buffer) }
    }
}
