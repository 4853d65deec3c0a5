import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate that signs itself, for the hub that the kit plays.
package struct KitCertificate: Sendable {
    /// PEM of the certificate, which clients trust.
    package let certificate: String
    /// PEM of its key.
    package let key: String

    /// Certificate and key, as one side of a connection shows them.
    package var identity: (chain: [UInt8], key: [UInt8]) {
        (Array(certificate.utf8), Array(key.utf8))
    }

    /// Makes one for names and addresses; it began 30 days before its end, or an hour ago.
    package init(names: [String], days: Double = 30) throws(KitFault) {
        do {
            let key = P256.Signing.PrivateKey()
            let serial = Certificate.SerialNumber()
            // Who trusts several of them finds each by a name of its own.
            let name = try DistinguishedName { CommonName("belfry conformance \(serial)") }
            let general = names.map { name in
                Self.address(name).map { GeneralName.ipAddress($0) } ?? .dnsName(name)
            }
            let now = Date()
            let made = try Certificate(
                version: .v3,
                serialNumber: serial,
                publicKey: .init(key.publicKey),
                notValidBefore: now.addingTimeInterval(min(-3_600, (days - 30) * 86_400)),
                notValidAfter: now.addingTimeInterval(days * 86_400),
                issuer: name,
                subject: name,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
                    SubjectAlternativeNames(general)
                },
                issuerPrivateKey: .init(key)
            )
            certificate = try made.serializeAsPEM().pemString + "\n"
            self.key = key.pemRepresentation
        } catch {
            throw .setup("no certificate: \(error)")
        }
    }

    private static func address(_ name: String) -> ASN1OctetString? {
        let parts = name.split(separator: ".").compactMap { UInt8($0) }
        if parts.count == 4 { return ASN1OctetString(contentBytes: parts[...]) }
        guard name == "::1" else { return nil }
        let loopback = [UInt8](repeating: 0, count: 15) + [1]
        return ASN1OctetString(contentBytes: loopback[...])
    }
}
