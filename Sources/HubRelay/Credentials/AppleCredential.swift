import Crypto
import HubVocabulary

/// How a hub proves to Apple that it may send to an app.
package struct AppleCredential: Sendable {
    /// Which of Apple's two services it is for.
    package enum Environment: String, Sendable {
        case production, sandbox

        /// The service's host.
        package var host: String {
            switch self {
            case .production: "api.push.apple.com"
            case .sandbox: "api.sandbox.push.apple.com"
            }
        }

        /// The environment of an endpoint's exact host; nil for any other.
        init?(endpoint: String) {
            var rest = endpoint[...]
            if rest.hasPrefix("https://") { rest = rest.dropFirst(8) }
            switch rest.prefix(while: { $0 != "/" && $0 != ":" }).lowercased() {
            case "gateway.push.apple.com", "api.push.apple.com": self = .production
            case "gateway.sandbox.push.apple.com", "api.sandbox.push.apple.com",
                "api.development.push.apple.com":
                self = .sandbox
            default: return nil
            }
        }
    }

    /// A key of the app's team, with which provider tokens are signed.
    package struct Key: Sendable {
        /// Ten characters, which name the key.
        package let keyID: String
        /// Ten characters, which name the team.
        package let teamID: String
        let key: P256.Signing.PrivateKey
        /// Both, and the public key: another key may come under the same identifiers.
        let name: Name

        struct Name: Hashable {
            let bytes: [UInt8]

            /// The end of the public key tells keys apart.
            func hash(into hasher: inout Hasher) {
                hasher.combine(UInt64(bigEndian: bytes.suffix(8)))
            }
        }

        init(keyID: String, teamID: String, key: P256.Signing.PrivateKey) {
            (self.keyID, self.teamID, self.key) = (keyID, teamID, key)
            let words = Array("\(teamID) \(keyID) ".utf8)
            name = Name(bytes: words + key.publicKey.x963Representation)
        }
    }

    /// How the hub proves itself.
    package enum Proof: Sendable {
        /// By a provider token in every request.
        case token(Key)
        /// By a client certificate in TLS.
        case certificate(bundle: RelaySecret, password: RelaySecret, CertificateFacts)
    }

    /// How the hub proves itself.
    package let proof: Proof
    /// The app's bundle id.
    package let topic: String
    /// Which service it is for.
    package let environment: Environment

    /// Reads Azure's token form or its certificate form.
    ///
    /// `open` opens a PKCS#12 bundle with its password; nil when it does not open.
    /// - Throws: `.invalid` naming the property.
    init(
        _ properties: CredentialProperties,
        now: Timestamp,
        open: (_ bundle: [UInt8], _ password: [UInt8]) -> CertificateFacts?
    ) throws(CredentialProblem) {
        let hasToken = properties.text("Token") != nil || properties.text("KeyId") != nil
        let hasCertificate = properties.text("ApnsCertificate") != nil
        guard hasToken != hasCertificate else {
            throw properties.problem(
                "Token",
                "a credential has a Token with its KeyId, or an ApnsCertificate, and not both."
            )
        }
        if let endpoint = properties.text("Endpoint") {
            guard let known = Environment(endpoint: endpoint) else {
                throw properties.problem("Endpoint", "is no address of Apple's service.")
            }
            environment = known
        } else {
            environment = .production
        }
        if hasToken {
            topic = try properties.required("AppName")
            proof = .token(try Self.key(properties))
        } else {
            let (bundle, password, facts) = try Self.certificate(properties, now: now, open: open)
            topic = facts.topic
            proof = .certificate(bundle: bundle, password: password, facts)
        }
    }

    private static func key(_ properties: CredentialProperties) throws(CredentialProblem) -> Key {
        guard let der = KeyText.der(try properties.required("Token")) else {
            throw properties.problem("Token", "is not base64.")
        }
        let key: P256.Signing.PrivateKey
        do { key = try P256.Signing.PrivateKey(derRepresentation: der) } catch {
            throw properties.problem("Token", "is no P-256 key in PKCS#8 form.")
        }
        let (keyID, teamID) = try (properties.required("KeyId"), properties.required("AppId"))
        for (name, value) in [("KeyId", keyID), ("AppId", teamID)] {
            guard PlainText.isVisibleASCII(value.utf8), !value.utf8.contains(UInt8(ascii: "\""))
            else { throw properties.problem(name, "has characters that no identifier has.") }
        }
        return Key(keyID: keyID, teamID: teamID, key: key)
    }

    private static func certificate(
        _ properties: CredentialProperties,
        now: Timestamp,
        open: (_ bundle: [UInt8], _ password: [UInt8]) -> CertificateFacts?
    ) throws(CredentialProblem) -> (RelaySecret, RelaySecret, CertificateFacts) {
        let text = try properties.required("ApnsCertificate")
        guard let bundle = Base64.decode(Array(text.utf8).filter { !ASCII.isBlank($0) }) else {
            throw properties.problem("ApnsCertificate", "is not base64.")
        }
        let password = RelaySecret(properties.text("CertificateKey") ?? "")
        guard let facts = open(bundle, password.bytes) else {
            throw properties.problem(
                "CertificateKey",
                "does not open the bundle, or the bundle holds no key of its certificate."
            )
        }
        guard facts.starts <= now, now < facts.ends else {
            throw properties.problem("ApnsCertificate", "is not valid at this time.")
        }
        guard !facts.topic.isEmpty else {
            throw properties.problem("ApnsCertificate", "names no app.")
        }
        return (RelaySecret(bundle), password, facts)
    }

    /// Notes for the operator: what is unusual and not wrong.
    func warnings(now: Timestamp) -> [String] {
        switch proof {
        case .token(let key):
            return [("KeyId", key.keyID), ("AppId", key.teamID)].filter { !Self.isUsual($0.1) }
                .map { "\($0.0) does not have ten letters and digits, as Apple's have" }
        case .certificate(_, _, let facts):
            return now.adding(seconds: 30 * 86_400) < facts.ends
                ? [] : ["the certificate ends in less than 30 days"]
        }
    }

    private static func isUsual(_ id: String) -> Bool {
        id.utf8.count == 10
            && id.utf8.allSatisfy { byte in
                ASCII.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            }
    }
}
