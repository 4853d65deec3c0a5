import Foundation
import SwiftASN1
import X509

/// What an operator's certificate file says about whom to trust.
enum CertificateChain {
    /// Whether a PEM file holds a certificate that signed itself, so that whoever trusts the file
    /// trusts the server: a self-signed certificate, or a chain with its root.
    ///
    /// Another chain ends at somebody who is not in it, and as a list of authorities it would refuse
    /// what it belongs to.
    static func holdsRoot(_ path: String) -> Bool {
        // What cannot be read is refused, with the reason, when the certificate is used.
        guard let data = FileManager.default.contents(atPath: path),
            let documents = try? PEMDocument.parseMultiple(
                pemString: String(decoding: data, as: UTF8.self)
            )
        else { return false }
        return documents.contains { document in
            // A key, for instance, is no certificate.
            guard let certificate = try? Certificate(pemDocument: document) else { return false }
            return certificate.issuer == certificate.subject
        }
    }
}
