import Crypto
import CryptoExtras
import HubTemplates
package import HubVocabulary

/// A signed token of the three forms that push services take (RFC 7519).
///
/// An ES256 signature draws from the system's generator inside of the crypto library, so two tokens
/// of one moment differ; nothing decides by their bytes.
package enum JSONWebToken {
    /// Apple's provider token: key, team, time, and no end.
    package static func apple(_ key: AppleCredential.Key, now: Timestamp) -> String {
        sign(
            header: object([("alg", .text("ES256")), ("kid", .text(key.keyID))]),
            claims: object([("iss", .text(key.teamID)), ("iat", .number(seconds(now)))]),
            with: key.key
        )
    }

    /// A Web Push token for one service (RFC 8292).
    package static func browser(
        _ credential: BrowserCredential,
        origin: String,
        expires: Timestamp
    ) -> String {
        sign(
            header: object([("typ", .text("JWT")), ("alg", .text("ES256"))]),
            claims: object([
                ("aud", .text(origin)), ("exp", .number(seconds(expires))),
                ("sub", .text(credential.subject)),
            ]),
            with: credential.key
        )
    }

    /// The assertion by which a service account asks Google for an access token (RFC 7523).
    package static func firebase(
        _ credential: FirebaseCredential,
        audience: String,
        scope: String,
        now: Timestamp,
        lifeSeconds: UInt64
    ) -> String {
        let text = signedText(
            header: object([("alg", .text("RS256")), ("typ", .text("JWT"))]),
            claims: object([
                ("iss", .text(credential.email)), ("scope", .text(scope)),
                ("aud", .text(audience)), ("iat", .number(seconds(now))),
                ("exp", .number(seconds(now) + lifeSeconds)),
            ])
        )
        do {
            let signature = try credential.key.signature(
                for: Array(text.utf8),
                padding: .insecurePKCS1v1_5
            )
            return text + "." + Base64URL.encode(Array(signature.rawRepresentation))
        } catch { preconditionFailure("a checked RSA key does not sign: \(error)") }
    }

    private enum Value {
        case text(String)
        case number(UInt64)
    }

    private static func seconds(_ time: Timestamp) -> UInt64 { time.milliseconds / 1_000 }

    private static func object(_ members: [(String, Value)]) -> [UInt8] {
        JSONTree.object(
            members.map { name, value in
                switch value {
                case .text(let text): JSONMember(name, .string(Array(text.utf8)))
                case .number(let number): JSONMember(name, .number(Array("\(number)".utf8)))
                }
            }
        ).json
    }

    private static func signedText(header: [UInt8], claims: [UInt8]) -> String {
        Base64URL.encode(header) + "." + Base64URL.encode(claims)
    }

    /// The signature is the two numbers side by side, 64 bytes, not DER.
    private static func sign(
        header: [UInt8],
        claims: [UInt8],
        with key: P256.Signing.PrivateKey
    ) -> String {
        let text = signedText(header: header, claims: claims)
        do {
            let signature = try key.signature(for: Array(text.utf8))
            return text + "." + Base64URL.encode(Array(signature.rawRepresentation))
        } catch { preconditionFailure("a checked P-256 key does not sign: \(error)") }
    }
}
