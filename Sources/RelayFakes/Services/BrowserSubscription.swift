import Crypto
import HubRelay
package import HubTemplates
import HubVocabulary

/// A browser's side of a subscription: keys that follow from its name, and decryption (RFC 8291).
package struct BrowserSubscription {
    /// Its name in the endpoint.
    package let name: String
    /// 16 bytes that browser and server share.
    package let secret: [UInt8]
    private let key: P256.KeyAgreement.PrivateKey

    /// The subscription of a name.
    package init(name: String) {
        self.name = name
        let seed = { (label: String) in
            Array(SHA256.hash(data: Array("belfry fake \(label) \(name)".utf8)))
        }
        secret = Array(seed("secret").prefix(16))
        do {
            key = try P256.KeyAgreement.PrivateKey(rawRepresentation: seed("key"))
        } catch { preconditionFailure("a hash is a key but for one in 2³²: \(error)") }
    }

    /// The uncompressed public key, 65 bytes.
    package var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

    /// The text of a message; nil when it is not for this subscription.
    package func decrypt(_ body: [UInt8]) -> [UInt8]? {
        guard body.count >= 86 + 17, body[20] == 65 else { return nil }
        let (salt, sender) = (Array(body[..<16]), Array(body[21..<86]))
        // Each fault of these calls is a message for another subscription.
        guard let other = try? P256.KeyAgreement.PublicKey(x963Representation: sender),
            let shared = try? key.sharedSecretFromKeyAgreement(with: other)  // As above.
        else { return nil }
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: secret,
            sharedInfo: Array("WebPush: info\0".utf8) + publicKey + sender,
            outputByteCount: 32
        )
        let derived = { (info: String, count: Int) in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input,
                salt: salt,
                info: Array("Content-Encoding: \(info)\0".utf8),
                outputByteCount: count
            )
        }
        // The buffer is copied whole before the call returns.
        let nonce = unsafe derived("nonce", 12).withUnsafeBytes { unsafe Array($0) }
        guard
            // As above.
            let box = try? AES.GCM.SealedBox(combined: nonce + body[86...]),
            let opened = try? AES.GCM.open(box, using: derived("aes128gcm", 16))  // As above.
        else { return nil }
        let padded = Array(opened)
        // The last record ends with 2 and zeros.
        guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 2 else { return nil }
        return Array(padded[..<end])
    }

    /// The subscription as `PushSubscription.toJSON()` gives it.
    package func json(authority: String) -> JSONTree {
        .members([
            ("endpoint", .text("https://\(authority)/push/\(name)")),
            (
                "keys",
                .members([
                    ("p256dh", .text(Base64URL.encode(publicKey))),
                    ("auth", .text(Base64URL.encode(secret))),
                ])
            ),
        ])
    }
}
