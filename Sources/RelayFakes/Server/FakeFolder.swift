import Crypto
import CryptoExtras
import Foundation
import HubRelay
import HubTemplates

/// The files of a fake: the certificate that its clients trust, and the credential that it knows.
///
/// Files that are there stay, so that a back end's settings live longer than the fake.
package struct FakeFolder: Sendable {
    /// A service that a folder can hold.
    package enum Kind: String, CaseIterable, Sendable {
        case apns, fcm, webpush, wns
    }

    /// The team of the fake's key.
    package static let team = "FAKETEAM01"
    private static let keyID = "FAKEKEY001"
    private static let project = "fake-project"
    private static let windowsClient = "ms-app://s-1-15-2-1"

    private let folder: URL

    /// Opens a folder; makes it when it is missing.
    ///
    /// - Throws: when it cannot be made.
    package init(_ path: String) throws {
        folder = URL(fileURLWithPath: path, isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// Writes the certificate that clients trust, and returns its path.
    ///
    /// - Throws: when it cannot be written.
    package func trust(_ certificate: FakeCertificate) throws -> String {
        try write("ca.pem", certificate.trusted)
    }

    /// The service with the credential of this folder, and where that is.
    ///
    /// - Throws: when a file cannot be read or written.
    package func service(
        _ kind: Kind,
        bundle: String
    ) throws -> (service: any FakeService, credential: String) {
        switch kind {
        case .apns:
            let file = "AuthKey_\(Self.keyID).p8"
            let pem = try kept(file) { P256.Signing.PrivateKey().pemRepresentation }
            let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
            let service = AppleFake(
                key: key.publicKey,
                keyID: Self.keyID,
                team: Self.team,
                bundle: bundle
            )
            return (service, "\(path(file)), team \(Self.team), bundle \(bundle)")
        case .fcm: return try firebase()
        case .webpush:
            _ = try kept("vapid.pem") { P256.Signing.PrivateKey().pemRepresentation }
            let subscription = BrowserSubscription(name: "browser")
            let text = subscription.json(authority: "updates.push.services.mozilla.com").json
            _ = try write("subscription.json", String(decoding: text, as: UTF8.self))
            return (BrowserFake(), "\(path("vapid.pem")), or any other pair")
        case .wns:
            let secret = try kept("wns-secret") { UUID().uuidString }
            let service = WindowsFake(client: Self.windowsClient, secret: secret)
            return (service, "\(path("wns-secret")), package \(Self.windowsClient)")
        }
    }

    private func firebase() throws -> (service: any FakeService, credential: String) {
        let email = "push@\(Self.project).iam.gserviceaccount.com"
        let text = try kept("service-account.json") {
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let tree = JSONTree.members([
                ("type", .text("service_account")), ("project_id", .text(Self.project)),
                ("private_key_id", .text("fake")),
                ("private_key", .text(KeyText.pem(Array(key.pkcs8DERRepresentation)))),
                ("client_email", .text(email)),
                ("token_uri", .text("https://oauth2.googleapis.com/token")),
            ])
            return String(decoding: tree.json, as: UTF8.self)
        }
        let pem = JSONTree(reading: Array(text.utf8))?.text("private_key") ?? ""
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: pem)
        let service = FirebaseFake(key: key.publicKey, project: Self.project, email: email)
        return (service, path("service-account.json"))
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func kept(_ name: String, _ make: () throws -> String) throws -> String {
        if FileManager.default.fileExists(atPath: path(name)) {
            return try String(contentsOfFile: path(name), encoding: .utf8)
        }
        let made = try make()
        _ = try write(name, made)
        return made
    }

    private func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: path(name))
        return path(name)
    }
}
