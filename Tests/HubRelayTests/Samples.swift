import Crypto
import CryptoExtras
import HubModel
import HubRelay
import HubVocabulary

/// Keys, credentials and values that the tests of this target share.
enum Samples {
    static let time = Timestamp(milliseconds: 1_800_000_000_000)
    static let place = LogPlace(epoch: 7, sequence: 100)
    static let hub = HandleJudge.Hub(name: name("news"), secret: secret(1))

    static let appleKey = P256.Signing.PrivateKey()
    static let appleBody = Base64.encode(Array(appleKey.derRepresentation))
    static let browserKey = P256.Signing.PrivateKey()
    static let browserPublic = Base64URL.encode(Array(browserKey.publicKey.x963Representation))
    static let browserPrivate = Base64URL.encode(Array(browserKey.rawRepresentation))
    static let googleKey: _RSA.Signing.PrivateKey = {
        do { return try _RSA.Signing.PrivateKey(keySize: .bits2048) } catch {
            fatalError("\(error)")
        }
    }()
    static let googlePEM = KeyText.pem(Array(googleKey.pkcs8DERRepresentation))

    static let apple: [(name: String, value: String)] = [
        ("Token", appleBody), ("KeyId", "ABC1234567"), ("AppId", "TEAM123456"),
        ("AppName", "com.example.app"),
        ("Endpoint", "https://api.push.apple.com:443/3/device"),
    ]
    static let firebase: [(name: String, value: String)] = [
        ("PrivateKey", googlePEM), ("ProjectId", "demo-project"),
        ("ClientEmail", "push@demo-project.iam.gserviceaccount.com"),
    ]
    static let browser: [(name: String, value: String)] = [
        ("Subject", "mailto:ops@example.com"), ("VapidPublicKey", browserPublic),
        ("VapidPrivateKey", browserPrivate),
    ]
    static let windows: [(name: String, value: String)] = [
        ("PackageSid", "ms-app://s-1-15-2-1"), ("SecretKey", "window secret of the package"),
    ]

    static func name(_ text: String) -> HubName {
        guard let name = HubName(text) else { fatalError(text) }
        return name
    }

    static func secret(_ byte: UInt8) -> HubSecret {
        guard let secret = HubSecret(Array(repeating: byte, count: 32)) else { fatalError() }
        return secret
    }

    /// A bundle of the bytes 1, 2, 3 opens with the password "right".
    static func open(_ bundle: [UInt8], _ password: [UInt8]) -> CertificateFacts? {
        guard bundle == [1, 2, 3], password == Array("right".utf8) else { return nil }
        return CertificateFacts(
            topic: "com.example.cert",
            starts: time,
            ends: time.adding(seconds: 40 * 86_400)
        )
    }

    static func credential(
        _ kind: CredentialKind,
        _ values: [(name: String, value: String)],
        now: Timestamp = time
    ) throws(CredentialProblem) -> RelayCredential {
        try RelayCredential(CredentialProperties(kind, values), now: now, open: open)
    }

    static func appleCredential(_ values: [(name: String, value: String)] = apple)
        -> AppleCredential
    {
        guard case .apple(let apple)? = try? credential(.apns, values) else { fatalError() }
        return apple
    }

    static func appleSigner(_ values: [(name: String, value: String)] = apple)
        -> AppleCredential.Key
    {
        guard case .token(let key) = appleCredential(values).proof else { fatalError() }
        return key
    }

    static func firebaseCredential() -> FirebaseCredential {
        guard case .firebase(let found)? = try? credential(.fcmV1, firebase) else { fatalError() }
        return found
    }

    static func browserCredential() -> BrowserCredential {
        guard case .browser(let found)? = try? credential(.browser, browser) else { fatalError() }
        return found
    }

    static func windowsCredential() -> WindowsCredential {
        guard case .windows(let found)? = try? credential(.wns, windows) else { fatalError() }
        return found
    }

    static func replacing(
        _ values: [(name: String, value: String)],
        _ name: String,
        _ value: String?
    ) -> [(name: String, value: String)] {
        values.filter { $0.name != name } + (value.map { [(name, $0)] } ?? [])
    }
}

extension Samples {
    static func notification(
        _ body: [UInt8],
        headers: [(String, String)] = [],
        transient: Bool = false,
        priority: NotificationPriority = .normal,
        collapseKey: String = ""
    ) -> RelayNotification {
        RelayNotification(
            body: body,
            headers: headers.map {
                NamedValue(name: Array($0.0.utf8), value: Array($0.1.utf8))
            },
            lifetime: Lifetime(
                expires: transient ? time : time.adding(seconds: 3_600),
                isTransient: transient
            ),
            priority: priority,
            collapseKey: Array(collapseKey.utf8),
            identifier: RelayIdentifier(
                hub: hub.name,
                place: place,
                registration: RegistrationNumber(5)
            )
        )
    }
}
