import Crypto
import Foundation
package import HubHTTP
import NIOSSL
import SwiftASN1
import X509

/// By what nodes of a database know each other: an authority of `cluster.key`, and leaves that each
/// node signs for itself.
///
/// The authority's key is the same on every node, so none has to be sent. Dates say nothing here,
/// and clocks of nodes may differ.
package struct NodeCertificate: Sendable {
    /// The name that fronts ask for; no resolver knows it.
    package static let name = "node.belfry.internal"

    private let authorityKey: P256.Signing.PrivateKey

    /// An authority of bytes that every node derives from `cluster.key`.
    package init(key: [UInt8]) {
        var candidate = key
        while true {
            // One of four billion is no key of the curve; the next one is taken then.
            if let made = try? P256.Signing.PrivateKey(rawRepresentation: candidate) {
                authorityKey = made
                return
            }
            candidate = Array(SHA256.hash(data: candidate))
        }
    }

    /// The certificate that fronts trust, and no other.
    func authority() throws -> NIOSSLCertificate {
        let certificate = try Self.certificate(
            of: Certificate.PublicKey(authorityKey.publicKey),
            named: try Self.issuer,
            by: authorityKey,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
            }
        )
        return try NIOSSLCertificate(bytes: Self.bytes(certificate), format: .der)
    }

    /// A certificate of this process, which the authority signs.
    package func leaf() throws -> NamedCertificate {
        let key = P256.Signing.PrivateKey()
        let certificate = try Self.certificate(
            of: Certificate.PublicKey(key.publicKey),
            named: try DistinguishedName { CommonName("Belfry node") },
            by: authorityKey,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames([.dnsName(Self.name)])
            }
        )
        return NamedCertificate(
            name: Self.name,
            certificate: try NIOSSLCertificate(bytes: Self.bytes(certificate), format: .der),
            key: try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)
        )
    }

    private static var issuer: DistinguishedName {
        get throws { try DistinguishedName { CommonName("Belfry nodes") } }
    }

    private static func certificate(
        of key: Certificate.PublicKey,
        named subject: DistinguishedName,
        by authority: P256.Signing.PrivateKey,
        extensions: Certificate.Extensions
    ) throws -> Certificate {
        let now = Date()
        let years: TimeInterval = 20 * 365 * 86_400
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key,
            notValidBefore: now.addingTimeInterval(-years),
            notValidAfter: now.addingTimeInterval(years),
            issuer: try issuer,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions,
            issuerPrivateKey: .init(authority)
        )
    }

    private static func bytes(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
