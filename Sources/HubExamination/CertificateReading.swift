import Foundation
package import HubDoctor
import HubTransport
import HubVocabulary
import NIOCore
import SwiftASN1
import X509

/// Reads the facts of the certificate that clients are shown.
package enum CertificateReading {
    /// Authorities of the system.
    private static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

    /// Returns them of a chain and its key; nil when the chain cannot be read.
    package static func facts(chain: String, key: String, isDevelopment: Bool) -> ShownCertificate?
    {
        let certificates = certificates(chain)
        guard let leaf = certificates.first else { return nil }
        var facts = ShownCertificate()
        facts.isDevelopment = isDevelopment
        facts.end = Timestamp(
            milliseconds: UInt64(max(0, leaf.notValidAfter.timeIntervalSince1970) * 1_000)
        )
        // Without the extension it is for no name.
        facts.names = (try? leaf.extensions.subjectAlternativeNames)?.compactMap(name) ?? []
        if !isDevelopment { facts.missingIssuer = missingIssuer(certificates) }
        do throws(TransportError) {
            _ = try ServerTLS(certificateFile: chain, keyFile: key, clientAuthoritiesFile: nil)
        } catch {
            if case .keyMismatch(let certificate, let key) = error {
                facts.unequalPair = (certificate, key)
            }
        }
        return facts
    }

    private static func name(_ name: GeneralName) -> String? {
        switch name {
        case .dnsName(let text): text
        case .ipAddress(let address):
            // Of another length than 4 or 16 bytes it names no host.
            try? SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: 0).ipAddress
        default: nil
        }
    }

    private static func certificates(_ path: String) -> [Certificate] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        // Text of another kind holds none.
        let documents = try? PEMDocument.parseMultiple(
            pemString: String(decoding: data, as: UTF8.self)
        )
        // A key, for instance, is no certificate.
        return (documents ?? []).compactMap { try? Certificate(pemDocument: $0) }
    }

    /// The authority at which a chain ends that neither signed itself nor is one of the system's.
    private static func missingIssuer(_ chain: [Certificate]) -> String? {
        guard var last = chain.first else { return nil }
        var rest = chain.dropFirst()
        while let next = rest.firstIndex(where: { $0.subject == last.issuer }) {
            last = rest.remove(at: next)
        }
        guard last.issuer != last.subject else { return nil }
        let roots = certificates(systemAuthorities)
        guard !roots.isEmpty, !roots.contains(where: { $0.subject == last.issuer }) else {
            return nil
        }
        return "\(last.issuer)"
    }
}
