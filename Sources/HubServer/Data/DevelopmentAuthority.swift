import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate authority of this folder's own, and the server certificate that it signs.
///
/// Made on first start, for `localhost`, `127.0.0.1`, `::1` and the configured names. The authority
/// lives ten years, the server's certificate one; it is renewed at a start in its last month or
/// when a name is missing. Source: design §5.13.
struct DevelopmentAuthority {
    /// PEM files that clients trust and servers show.
    struct Files {
        var authority: String
        var certificate: String
        var key: String
    }

    /// Makes what is missing or due and names the files.
    static func files(in folder: DataFolder, names: [String]) throws(ServerError) -> Files {
        let root = folder.file("tls")
        try DataFolder.makeFolder(root)
        let files = Files(
            authority: root + "/ca.pem",
            certificate: root + "/server.pem",
            key: root + "/server-key.pem"
        )
        let authorityKeyFile = root + "/ca-key.pem"
        do {
            let authority = try authority(files.authority, keyFile: authorityKeyFile)
            if try !isUsable(files.certificate, names: names, by: authority.certificate) {
                try makeServer(files, names: names, authority)
            }
        } catch let error as ServerError {
            throw error
        } catch {
            throw .certificate(reason: "the development authority in \(root): \(error)")
        }
        return files
    }

    private struct Authority {
        var certificate: Certificate
        var key: Certificate.PrivateKey
    }

    private static func text(_ path: String) throws(ServerError) -> String? {
        try DataFolder.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func authority(_ path: String, keyFile: String) throws -> Authority {
        if let pem = try text(path), let keyPEM = try text(keyFile) {
            return Authority(
                certificate: try Certificate(pemEncoded: pem),
                key: try Certificate.PrivateKey(pemEncoded: keyPEM)
            )
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

    private static func isUsable(
        _ path: String,
        names: [String],
        by authority: Certificate
    ) throws -> Bool {
        guard let pem = try text(path), let certificate = try? Certificate(pemEncoded: pem),
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

    private static func general(_ name: String) -> GeneralName {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8($0) }
        guard parts.count == 4, numbers.count == 4 else { return .dnsName(name) }
        return .ipAddress(ASN1OctetString(contentBytes: ArraySlice(numbers)))
    }
}
