import Crypto
package import HubWire
import SwiftASN1
import X509

/// The device_id that a client certificate proves.
///
/// Source: Protocol.
package enum KeyName {
    /// The first 16 bytes of SHA-256 of the SubjectPublicKeyInfo; nil for no certificate.
    package static func id(ofCertificate pem: [UInt8]) -> ID16? {
        let text = String(decoding: pem, as: UTF8.self)
        // A file that holds no certificate is told as one.
        guard let certificate = try? Certificate(pemEncoded: text),
            // Only keys that cannot be written have no DER.
            let info = try? certificate.publicKey.serializeAsPEM().derBytes
        else { return nil }
        let digest = Array(SHA256.hash(data: info).prefix(16))
        return ID16(digest.span)
    }
}
