import Crypto
import HubTemplates
import HubVocabulary

/// Credentials from the files that services and Azure hand out.
package enum CredentialFile {
    /// Bytes of a file at most.
    package static let bytesMax = 262_144
    /// Nesting of a JSON file at most.
    private static let depthMax = 16

    /// An Apple key: its id is in the file's name, `AuthKey_KEYID.p8`, unless it is given.
    ///
    /// - Throws: `.invalid` when the key has no id.
    package static func apple(
        _ text: [UInt8],
        fileName: String,
        keyID: String? = nil,
        team: String,
        bundle: String,
        sandbox: Bool = false
    ) throws(CredentialProblem) -> CredentialProperties {
        let named = fileName.split(separator: "_").last.flatMap { part in
            part.hasSuffix(".p8") ? String(part.dropLast(3)) : nil
        }
        guard let id = keyID ?? (fileName.contains("_") ? named : nil) else {
            throw .invalid(
                field: "ApnsCredential.KeyId",
                reason: "is neither given nor in the file's name, as in AuthKey_KEYID.p8."
            )
        }
        return try CredentialProperties(
            .apns,
            [
                ("Token", String(decoding: text, as: UTF8.self)), ("KeyId", id),
                ("AppName", bundle), ("AppId", team), ("Endpoint", endpoint(sandbox)),
            ]
        )
    }

    /// A certificate of Apple with its key, as a PKCS#12 bundle; it names the app itself.
    ///
    /// - Throws: `.invalid` for a file that is no bundle.
    package static func appleCertificate(
        _ bundle: [UInt8],
        password: String,
        sandbox: Bool = false
    ) throws(CredentialProblem) -> CredentialProperties {
        let field = "ApnsCredential.ApnsCertificate"
        guard bundle.count <= bytesMax else {
            throw .invalid(field: field, reason: "the file is too large.")
        }
        // Each bundle is a sequence in DER.
        guard bundle.first == 0x30 else {
            throw .invalid(
                field: field,
                reason: "the file is no PKCS#12 bundle. Make one of PEM files with "
                    + "openssl pkcs12 -export -inkey KEY -in CERTIFICATE -out FILE."
            )
        }
        return try CredentialProperties(
            .apns,
            [
                ("ApnsCertificate", Base64.encode(bundle)), ("CertificateKey", password),
                ("Endpoint", endpoint(sandbox)),
            ]
        )
    }

    private static func endpoint(_ sandbox: Bool) -> String {
        let host = sandbox ? "api.development.push.apple.com" : "api.push.apple.com"
        return "https://\(host):443/3/device"
    }

    /// Firebase's file of a service account.
    ///
    /// - Throws: `.invalid` when it is no such file.
    package static func firebase(_ json: [UInt8]) throws(CredentialProblem) -> CredentialProperties
    {
        let tree = try tree(json, .fcmV1)
        guard text("type", of: tree) == "service_account" else {
            throw .invalid(field: "FcmV1Credential", reason: "the file is no service account.")
        }
        return try CredentialProperties(
            .fcmV1,
            members(["private_key", "project_id", "client_email"], of: tree, as: .fcmV1)
        )
    }

    /// A pair of Web Push keys, as `web-push generate-vapid-keys --json` prints it, or a private key
    /// in PEM, as `vapid --gen` writes it.
    ///
    /// - Throws: `.invalid` when it is neither.
    package static func browser(
        _ file: [UInt8],
        subject: String?
    ) throws(CredentialProblem) -> CredentialProperties {
        if ASCII.trimmed(file).first == UInt8(ascii: "{") {
            let tree = try tree(file, .browser)
            var values = members(["subject", "publicKey", "privateKey"], of: tree, as: .browser)
            if let subject { values[0].value = subject }
            return try CredentialProperties(.browser, values)
        }
        guard let der = KeyText.der(String(decoding: file, as: UTF8.self)),
            let key = try? P256.Signing.PrivateKey(derRepresentation: der)  // Any fault: no key.
        else {
            throw .invalid(
                field: "BrowserCredential.VapidPrivateKey",
                reason: "the file holds neither a pair of keys in JSON nor a P-256 key in PEM."
            )
        }
        return try CredentialProperties(
            .browser,
            [
                ("Subject", subject ?? ""),
                ("VapidPublicKey", Base64URL.encode(Array(key.publicKey.x963Representation))),
                ("VapidPrivateKey", Base64URL.encode(Array(key.rawRepresentation))),
            ]
        )
    }

    /// The credentials of Azure's resource manager: `apnsCredential` and others, at the top or under
    /// `properties`, each with `properties` of its own.
    ///
    /// - Throws: `.invalid` when the file is no JSON or holds no credential.
    package static func azure(_ json: [UInt8]) throws(CredentialProblem) -> [CredentialProperties] {
        let tree = try tree(json, nil)
        var found: [CredentialProperties] = []
        for place in [tree, tree.member("properties") ?? .null] {
            guard case .object(let members) = place else { continue }
            for member in members {
                let name = String(decoding: member.name, as: UTF8.self)
                guard let kind = CredentialKind(name: name),
                    case .object(let values)? = member.value.member("properties")
                else { continue }
                let given = values.compactMap { value -> (name: String, value: String)? in
                    guard case .string(let text) = value.value else { return nil }
                    return (
                        String(decoding: value.name, as: UTF8.self),
                        String(decoding: text, as: UTF8.self)
                    )
                }
                found.append(try CredentialProperties(kind, given))
            }
        }
        guard !found.isEmpty else {
            throw .invalid(field: "file", reason: "holds no credential of a hub.")
        }
        return found
    }

    private static func tree(
        _ json: [UInt8],
        _ kind: CredentialKind?
    ) throws(CredentialProblem) -> JSONTree {
        guard json.count <= bytesMax else {
            throw .invalid(field: kind?.rawValue ?? "file", reason: "the file is too large.")
        }
        do throws(JSONTextError) {
            return try JSONTree(json: json.span, depthMax: depthMax)
        } catch {
            throw .invalid(field: kind?.rawValue ?? "file", reason: error.reason)
        }
    }

    private static func members(
        _ names: [String],
        of tree: JSONTree,
        as kind: CredentialKind
    ) -> [(name: String, value: String)] {
        zip(kind.properties, names).map { ($0, text($1, of: tree) ?? "") }
    }

    private static func text(_ name: String, of tree: JSONTree) -> String? {
        guard case .string(let text)? = tree.member(name) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
