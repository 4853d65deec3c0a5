import Crypto
import CryptoExtras
import HubRelay
import HubTemplates
import HubVocabulary

/// A JSON Web Token that was taken apart, and whose signature can be asked about (RFC 7515).
struct SignedToken {
    let header: JSONTree
    let claims: JSONTree
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Takes three parts apart; nil when they are none, or padded.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, !text.contains("="),
            let head = Base64URL.decode(Array(parts[0].utf8)),
            let body = Base64URL.decode(Array(parts[1].utf8)),
            let signature = Base64URL.decode(Array(parts[2].utf8)),
            let header = JSONTree(reading: head),
            let claims = JSONTree(reading: body)
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Array((parts[0] + "." + parts[1]).utf8)
    }

    /// Whether the key signed it: two numbers side by side, not DER.
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard header.text("alg") == "ES256",
            // A signature of another length is none.
            let made = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(made, for: signed)
    }

    /// Whether the RSA key signed it.
    func isSigned(by key: _RSA.Signing.PublicKey) -> Bool {
        guard header.text("alg") == "RS256" else { return false }
        let made = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return key.isValidSignature(made, for: signed, padding: .insecurePKCS1v1_5)
    }
}
