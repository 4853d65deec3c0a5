import Foundation
import SwiftASN1
import X509

/// Trust in an operator's certificate file.
package enum CertificateChain {
    /// Whether a PEM file holds a certificate that signed itself: a self-signed certificate, or a
    /// chain with its root.
    ///
    /// A client that trusts such a file trusts the server.
    ///
    /// Another chain ends at an authority that the file does not hold. As a list of authorities it
    /// would refuse its own certificate.
    package static func holdsRoot(_ path: String) -> Bool {
        guard let data = FileManager.default.contents(atPath: path),
            // A broken file is refused, with the reason, when the certificate is used.
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

    /// Refuses a file without a certificate; a refusal names the setting.
    package static func requireAuthorities(
        _ path: String,
        of setting: String
    ) throws(ServerError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .brokenFile(path: setting, reason: "\(path) cannot be read")
        }
        let text = String(decoding: data, as: UTF8.self)
        do {
            let documents = try PEMDocument.parseMultiple(pemString: text)
            for document in documents { _ = try Certificate(pemDocument: document) }
            if !documents.isEmpty { return }
        } catch {
            throw .brokenFile(path: setting, reason: "\(path): \(error)")
        }
        throw .brokenFile(path: setting, reason: "\(path) holds no PEM certificate")
    }
}
