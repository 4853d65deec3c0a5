package import HubRelay
import HubVocabulary
import NIOSSL
import SwiftASN1
import X509

/// A bundle of key and certificates that opened, with which a client proves itself in TLS.
package struct ClientCertificate: Sendable {
    /// The leaf's facts.
    package let facts: CertificateFacts
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// Opens a PKCS#12 bundle; nil when the password is wrong or the key is not the certificate's.
    package init?(bundle: [UInt8], password: [UInt8]) {
        // Each fault is an answer: it does not open.
        guard let opened = try? NIOSSLPKCS12Bundle(buffer: bundle, passphrase: password),
            let leaf = opened.certificateChain.first, let facts = Self.facts(leaf)
        else { return nil }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateChain = opened.certificateChain.map { .certificate($0) }
        configuration.privateKey = .privateKey(opened.privateKey)
        // A context takes a key only beside its own certificate.
        guard (try? NIOSSLContext(configuration: configuration)) != nil else { return nil }
        self.facts = facts
        chain = opened.certificateChain
        key = opened.privateKey
    }

    /// Dates, and the app: the user id in the subject, or Apple's list of topics.
    private static func facts(_ leaf: NIOSSLCertificate) -> CertificateFacts? {
        // Apple issues no leaf that this library does not read.
        guard let bytes = try? leaf.toDERBytes(), let read = try? Certificate(derEncoded: bytes)
        else { return nil }
        return CertificateFacts(
            topic: userID(read.subject) ?? firstTopic(read.extensions) ?? "",
            starts: Timestamp(milliseconds: UInt64(max(0, leaf.notValidBefore)) * 1_000),
            ends: Timestamp(milliseconds: UInt64(max(0, leaf.notValidAfter)) * 1_000)
        )
    }

    private static func userID(_ subject: DistinguishedName) -> String? {
        let type: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
        return subject.lazy.flatMap(\.self).first { $0.type == type }
            .flatMap { String($0.value) }
    }

    /// A sequence that begins with the bundle id as text.
    private static func firstTopic(_ extensions: Certificate.Extensions) -> String? {
        let list: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 6]
        guard let found = extensions.first(where: { $0.oid == list }),
            // Other forms of the list name no topic.
            let root = try? DER.parse(Array(found.value)),
            case .constructed(let nodes) = root.content,
            let first = nodes.first(where: { $0.identifier == .utf8String }),
            // As above.
            let text = try? ASN1UTF8String(derEncoded: first)
        else { return nil }
        return String(text)
    }
}
