import Crypto
import CryptoExtras
import Foundation
import HubModel
import HubRelay
import HubRelayLink
import HubVocabulary
import RelayFakes
import Testing

/// A fake that listens, and the options by which a carrier reaches it in place of its service.
struct FakedService {
    let server: FakeServer
    let journal: FakeJournal
    let options: CarrierOptions
    private let folder: URL

    /// Requests that were processed, by handle.
    var processed: [String: Int] {
        journal.entries.filter { $0.answer?.status == 200 }
            .reduce(into: [:]) { $0[$1.handle, default: 0] += 1 }
    }

    /// Runs a body against a fake, which stops afterwards.
    static func run(
        _ service: any FakeService,
        rules: [String] = [],
        certificate: FakeCertificate.Kind = .good,
        protocols: [String] = ["h2", "http/1.1"],
        _ body: (FakedService) async throws -> Void
    ) async throws {
        var script = FaultScript()
        for rule in rules { precondition(script.add(rule), rule) }
        let shown = try FakeCertificate(certificate)
        let folder = URL.temporaryDirectory.appending(path: "fake-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let trusted = folder.appending(path: "ca.pem")
        try Data(shown.trusted.utf8).write(to: trusted)
        let journal = FakeJournal(keepsEntries: true)
        var listening = FakeServer.Options()
        listening.protocols = protocols
        let server = try await FakeServer.start(
            service,
            shown,
            script: script,
            journal: journal,
            options: listening
        )
        var options = CarrierOptions()
        options.trust = .file(trusted.path)
        options.times.connect = Faked.patience
        let place = CarrierOptions.Place(address: "127.0.0.1", port: server.port)
        for host in Faked.hosts { options.places[host] = place }
        let faked = FakedService(
            server: server,
            journal: journal,
            options: options,
            folder: folder
        )
        let result: Result<Void, any Error>
        do { result = .success(try await body(faked)) } catch { result = .failure(error) }
        await server.stop()
        try FileManager.default.removeItem(at: folder)
        try result.get()
    }
}

/// A credential was read as one of another service, or of another form.
struct OtherCredential: Error {}

/// Keys, credentials and notifications of the fakes' clients.
enum Faked {
    /// How long a request may take on a busy machine; none that is answered needs it.
    static let patience = Duration.seconds(240)

    static let hosts = [
        "api.push.apple.com", "fcm.googleapis.com", "oauth2.googleapis.com", "login.live.com",
        "login.microsoftonline.com", "db5p.notify.windows.com", "push.example.com",
    ]
    static let appleKey = P256.Signing.PrivateKey()
    static let browserKey = P256.Signing.PrivateKey()
    static let googleKey: _RSA.Signing.PrivateKey = {
        do { return try _RSA.Signing.PrivateKey(keySize: .bits2048) } catch {
            fatalError("\(error)")
        }
    }()
    static let email = "push@demo-project.iam.gserviceaccount.com"

    static var now: Timestamp {
        Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
    }

    static func appleFake() -> AppleFake {
        AppleFake(
            key: appleKey.publicKey,
            keyID: "ABC1234567",
            team: "TEAM123456",
            bundle: "com.example.app"
        )
    }

    static func firebaseFake() -> FirebaseFake {
        FirebaseFake(key: googleKey.publicKey, project: "demo-project", email: email)
    }

    static func windowsFake(client: String = "ms-app://s-1-15-2-1") -> WindowsFake {
        WindowsFake(client: client, secret: "secret of the package")
    }

    static func credential(
        _ kind: CredentialKind,
        _ values: [(name: String, value: String)]
    ) throws -> RelayCredential {
        try RelayCredential(CredentialProperties(kind, values), now: now) { bundle, password in
            ClientCertificate(bundle: bundle, password: password)?.facts
        }
    }

    static func apple() throws -> AppleCredential {
        let made = try credential(
            .apns,
            [
                ("Token", Base64.encode(Array(appleKey.derRepresentation))),
                ("KeyId", "ABC1234567"), ("AppId", "TEAM123456"), ("AppName", "com.example.app"),
            ]
        )
        guard case .apple(let apple) = made else { throw OtherCredential() }
        return apple
    }

    static func firebase() throws -> FirebaseCredential {
        let key = KeyText.pem(Array(googleKey.pkcs8DERRepresentation))
        let made = try credential(
            .fcmV1,
            [("PrivateKey", key), ("ProjectId", "demo-project"), ("ClientEmail", email)]
        )
        guard case .firebase(let firebase) = made else { throw OtherCredential() }
        return firebase
    }

    static func browser() throws -> BrowserCredential {
        let made = try credential(
            .browser,
            [
                ("Subject", "mailto:ops@example.com"),
                (
                    "VapidPublicKey",
                    Base64URL.encode(Array(browserKey.publicKey.x963Representation))
                ),
                ("VapidPrivateKey", Base64URL.encode(Array(browserKey.rawRepresentation))),
            ]
        )
        guard case .browser(let browser) = made else { throw OtherCredential() }
        return browser
    }

    static func windows(_ more: [(name: String, value: String)]) throws -> WindowsCredential {
        let made = try credential(.wns, [("SecretKey", "secret of the package")] + more)
        guard case .windows(let windows) = made else { throw OtherCredential() }
        return windows
    }

    static func notification(
        _ body: [UInt8],
        headers: [(String, String)] = [],
        registration: UInt32 = 5
    ) throws -> RelayNotification {
        RelayNotification(
            body: body,
            headers: headers.map {
                NamedValue(name: Array($0.0.utf8), value: Array($0.1.utf8))
            },
            lifetime: Lifetime(expires: now.adding(seconds: 3_600), isTransient: false),
            priority: .normal,
            collapseKey: [],
            identifier: RelayIdentifier(
                hub: try #require(HubName("news")),
                place: LogPlace(epoch: 7, sequence: 100),
                registration: RegistrationNumber(registration)
            )
        )
    }

    /// A token of 32 bytes for a number.
    static func token(_ number: Int) -> String {
        HexText.lowercase(Array(SHA256.hash(data: Array("token \(number)".utf8))))
    }
}
