import Crypto
import Foundation
import HubTransport
import SwiftASN1
import X509

/// A certificate authority of this folder's own, and the server certificate that it signs.
///
/// Made on first start, for `localhost`, `127.0.0.1`, `::1` and the configured names. The authority
/// lives ten years, the server's certificate one; it is renewed at a start in its last month or
/// when a name is missing. Source: Decisions/RESTOnTLS.
package struct DevelopmentAuthority {
    /// PEM files that clients trust and servers show.
    package struct Files {
        /// The authority's certificate, which clients trust.
        package var authority: String
        /// The server's certificate.
        package var certificate: String
        /// The key of the server's certificate.
        package var key: String
    }

    /// Makes what is missing or due and names the files.
    package static func files(in folder: DataFolder, names: [String]) throws(ServerError) -> Files {
        let root = folder.file("tls")
        try DataFolder.makeFolder(root)
        let files = Files(
            authority: root + "/ca.pem",
            certificate: root + "/server.pem",
            key: root + "/server-key.pem"
        )
        let authorityKeyFile = root + "/ca-key.pem"
        do {
            if let certificate = try authorityCertificate(files.authority),
                try isUsable(files, names: names, by: certificate)
            {
                return files
            }
            let authority = try authority(files.authority, keyFile: authorityKeyFile)
            try makeServer(files, names: names, authority)
        } catch let error as ServerError {
            throw error
        } catch {
            throw .certificate(reason: "the development authority in \(root): \(error)")
        }
        return files
    }

    /// Requires that the authority's key belongs to its certificate, where both are there: the next
    /// renewal needs it, which may be a year away.
    package static func requireKey(in folder: DataFolder) throws(ServerError) {
        let root = folder.file("tls")
        let keyFile = root + "/ca-key.pem"
        guard try text(keyFile) != nil, try text(root + "/ca.pem") != nil else { return }
        do {
            _ = try authority(root + "/ca.pem", keyFile: keyFile)
        } catch let error as ServerError {
            throw error
        } catch {
            throw .certificate(reason: "\(keyFile): \(error)")
        }
    }

    private struct Authority {
        var certificate: Certificate
        var key: Certificate.PrivateKey
    }

    private static func text(_ path: String) throws(ServerError) -> String? {
        try DataFolder.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func authorityCertificate(_ path: String) throws -> Certificate? {
        try text(path).map { try Certificate(pemEncoded: $0) }
    }

    /// The authority as it stands, or a new one when there is none; clients trust its certificate,
    /// so one that lost its key is not replaced behind their backs.
    private static func authority(_ path: String, keyFile: String) throws -> Authority {
        if let certificate = try authorityCertificate(path) {
            guard let pem = try text(keyFile) else {
                throw ServerError.certificate(
                    reason: "\(keyFile) is missing; put it back, or remove its folder for a new "
                        + "authority, which every client must then be given"
                )
            }
            let key = try Certificate.PrivateKey(pemEncoded: pem)
            guard key.publicKey == certificate.publicKey else {
                throw ServerError.certificate(reason: "\(keyFile) is not the key of \(path)")
            }
            return Authority(certificate: certificate, key: key)
        }
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Belfry development authority") }
        let now = Date()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: .init(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3_600),
            notValidAfter: now.addingTimeInterval(10 * 365 * 86_400),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
            },
            issuerPrivateKey: .init(key)
        )
        try DataFolder.write(Array(key.pemRepresentation.utf8), to: keyFile)
        try DataFolder.write(Array(certificate.serializeAsPEM().pemString.utf8), to: path)
        return Authority(certificate: certificate, key: .init(key))
    }

    /// Whether the server's certificate and key can be shown for a month more.
    private static func isUsable(
        _ files: Files,
        names: [String],
        by authority: Certificate
    ) throws -> Bool {
        guard let pem = try text(files.certificate), let keyPEM = try text(files.key),
            // A file that cannot be read is made anew.
            let certificate = try? Certificate(pemEncoded: pem),
            // A start that was cut off may have left a new key beside the old certificate.
            let key = try? Certificate.PrivateKey(pemEncoded: keyPEM),
            key.publicKey == certificate.publicKey,
            certificate.issuer == authority.subject,
            authority.publicKey.isValidSignature(certificate.signature, for: certificate),
            certificate.notValidAfter.timeIntervalSinceNow > 30 * 86_400,
            let known = try certificate.extensions.subjectAlternativeNames
        else { return false }
        return general(names).allSatisfy { known.contains($0) }
    }

    private static func makeServer(
        _ files: Files,
        names: [String],
        _ authority: Authority
    ) throws {
        let key = P256.Signing.PrivateKey()
        let now = Date()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: .init(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3_600),
            notValidAfter: now.addingTimeInterval(365 * 86_400),
            issuer: authority.certificate.subject,
            subject: try DistinguishedName { CommonName("Belfry") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(general(names))
                AuthorityKeyIdentifier(
                    keyIdentifier: try authority.certificate.extensions.subjectKeyIdentifier?
                        .keyIdentifier
                )
            },
            issuerPrivateKey: authority.key
        )
        try DataFolder.write(Array(key.pemRepresentation.utf8), to: files.key)
        try DataFolder.write(
            Array(certificate.serializeAsPEM().pemString.utf8),
            to: files.certificate
        )
    }

    private static func general(_ names: [String]) -> [GeneralName] {
        var all: [GeneralName] = [
            .dnsName("localhost"),
            .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
            .ipAddress(
                ASN1OctetString(contentBytes: ArraySlice(Array(repeating: 0, count: 15) + [1]))
            ),
        ]
        for name in names {
            let general = general(name)
            if !all.contains(general) { all.append(general) }
        }
        return all
    }

    /// Numeric addresses are addresses, everything else is a name.
    private static func general(_ name: String) -> GeneralName {
        do throws(TransportError) {
            let address = try SocketAddress(numeric: name, port: 0)
            let bytes = address.isIPv4 ? address.bytes.suffix(4) : address.bytes[...]
            return .ipAddress(ASN1OctetString(contentBytes: bytes))
        } catch {
            return .dnsName(name)
        }
    }
}
