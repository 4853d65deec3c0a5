import HubConformance
import NIOSSL

/// The certificate that a fake shows, and the one that clients are to trust.
package struct FakeCertificate: Sendable {
    /// The fault of the certificate that is shown.
    package enum Kind: String, CaseIterable, Sendable {
        /// Nothing.
        case good
        /// It names another host.
        case wrongName
        /// It ended yesterday.
        case expired
        /// Its authority is not the one that clients trust.
        case untrusted
    }

    /// The names of the services, which a fake stands for.
    private static let names = [
        "localhost", "127.0.0.1", "::1", "api.push.apple.com", "api.sandbox.push.apple.com",
        "api.development.push.apple.com", "fcm.googleapis.com", "oauth2.googleapis.com",
        "login.live.com", "login.microsoftonline.com", "db5p.notify.windows.com",
        "updates.push.services.mozilla.com", "push.example.com",
    ]

    /// PEM that clients trust.
    package let trusted: String
    private let shown: KitCertificate

    /// Makes a certificate for the services' names and these.
    ///
    /// - Throws: when it cannot be made.
    package init(_ kind: Kind = .good, names: [String] = []) throws {
        let all = Self.names + names
        switch kind {
        case .good:
            shown = try KitCertificate(names: all)
            trusted = shown.certificate
        case .wrongName:
            shown = try KitCertificate(names: ["elsewhere.example"])
            trusted = shown.certificate
        case .expired:
            shown = try KitCertificate(names: all, days: -1)
            trusted = shown.certificate
        case .untrusted:
            shown = try KitCertificate(names: all)
            trusted = try KitCertificate(names: all).certificate
        }
    }

    /// TLS of a server that asks for a client's certificate and takes any.
    func configuration(_ protocols: [String]) throws -> TLSConfiguration {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(shown.certificate.utf8))
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(shown.key.utf8), format: .pem)
            )
        )
        configuration.applicationProtocols = protocols
        configuration.certificateVerification = .optionalVerification
        return configuration
    }
}
