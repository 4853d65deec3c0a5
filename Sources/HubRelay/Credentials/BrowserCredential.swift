import Crypto
import HubVocabulary

/// The pair of keys by which browsers' push services know an application server.
///
/// Every subscription is bound to the public key: with another pair all of them end.
package struct BrowserCredential: Sendable {
    /// How the services reach the operator: `mailto:` or `https:`.
    package let subject: String
    /// The uncompressed public key, 65 bytes.
    package let publicKey: [UInt8]
    let key: P256.Signing.PrivateKey

    /// Reads Azure's form.
    ///
    /// - Throws: `.invalid` naming the property.
    init(_ properties: CredentialProperties) throws(CredentialProblem) {
        subject = try properties.required("Subject")
        guard subject.hasPrefix("mailto:") || subject.hasPrefix("https:"),
            PlainText.isVisibleASCII(subject.utf8), !subject.utf8.contains(UInt8(ascii: "\""))
        else { throw properties.problem("Subject", "must begin with mailto: or https:.") }
        guard !subject.lowercased().contains("localhost") else {
            throw properties.problem(
                "Subject",
                "names localhost, for which Apple's service answers BadJwtToken."
            )
        }
        let given = try properties.required("VapidPublicKey")
        guard let publicKey = Base64URL.decode(Array(given.utf8)),
            publicKey.count == 65, publicKey[0] == 4,
            (try? P256.Signing.PublicKey(x963Representation: publicKey)) != nil  // On the curve.
        else { throw properties.problem("VapidPublicKey", "is no P-256 public key of 65 bytes.") }
        self.publicKey = publicKey
        let secret = Base64URL.decode(Array(try properties.required("VapidPrivateKey").utf8))
        guard let secret, secret.count == 32 else {
            throw properties.problem("VapidPrivateKey", "does not have 32 bytes.")
        }
        do { key = try P256.Signing.PrivateKey(rawRepresentation: secret) } catch {
            throw properties.problem("VapidPrivateKey", "is no P-256 private key.")
        }
        guard Array(key.publicKey.x963Representation) == publicKey else {
            throw properties.problem("VapidPrivateKey", "does not belong to the public key.")
        }
    }
}
