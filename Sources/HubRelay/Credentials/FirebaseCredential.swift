import CryptoExtras
import HubVocabulary

/// A service account of a Firebase project.
package struct FirebaseCredential: Sendable {
    /// The smallest key that Google's tokens may be signed with.
    private static let keyBitsMin = 2_048

    /// The project whose apps are reached.
    package let project: String
    /// The account, which signs as its e-mail address.
    package let email: String
    let key: _RSA.Signing.PrivateKey

    /// Reads Azure's form.
    ///
    /// - Throws: `.invalid` naming the property.
    init(_ properties: CredentialProperties) throws(CredentialProblem) {
        guard let der = KeyText.der(try properties.required("PrivateKey")) else {
            throw properties.problem("PrivateKey", "is not PEM or base64.")
        }
        do { key = try _RSA.Signing.PrivateKey(derRepresentation: der) } catch {
            throw properties.problem("PrivateKey", "is no RSA key of at least 2,048 bits.")
        }
        guard key.keySizeInBits >= Self.keyBitsMin else {
            throw properties.problem("PrivateKey", "is no RSA key of at least 2,048 bits.")
        }
        project = try properties.required("ProjectId")
        guard Self.isProject(project) else {
            throw properties.problem("ProjectId", "is no name of a Google project.")
        }
        email = try properties.required("ClientEmail")
        let parts = email.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
            PlainText.isVisibleASCII(email.utf8)
        else { throw properties.problem("ClientEmail", "is no e-mail address.") }
    }

    /// 6 to 30 lower-case letters, digits and hyphens, perhaps behind a domain and a colon.
    private static func isProject(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let name = parts.last else { return false }
        let isDomain = parts.count == 1 || (!parts[0].isEmpty && parts[0].allSatisfy(isDomainByte))
        return isDomain && (6...30).contains(name.count)
            && name.allSatisfy { isDomainByte($0) && $0 != UInt8(ascii: ".") }
    }

    private static func isDomainByte(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
