import Foundation
package import HubRelay
import HubRelayLink
import HubTransport
import HubVocabulary

/// The file with a hub's credentials, `credentials.json` beside its keys: 0600, replaced in one step.
///
/// A file of its own, so that no program that reads keys comes to see it, and no backup.
package enum CredentialStore {
    /// The file's name.
    static let name = "credentials.json"

    private struct File: Codable {
        var credentials: [Entry]
    }

    private struct Entry: Codable {
        var kind: String
        var epoch: UInt64
        var sequence: UInt64
        var properties: [Property]
    }

    private struct Property: Codable {
        var name: String
        /// In base64.
        var value: String
    }

    /// The facts of a bundle that opens with a password.
    package static func open(_ bundle: [UInt8], _ password: [UInt8]) -> CertificateFacts? {
        ClientCertificate(bundle: bundle, password: password)?.facts
    }

    /// The credentials of a hub's folder; none without the file.
    ///
    /// - Throws: `.brokenFile` when it cannot be read; shows no value.
    static func read(in folder: String) throws(ServerError) -> CredentialSet {
        let path = folder + "/" + name
        guard let file: File = try JSONFile.read(path) else { return CredentialSet() }
        var stored: [(properties: CredentialProperties, since: LogPlace)] = []
        for entry in file.credentials {
            guard let kind = CredentialKind(name: entry.kind) else {
                throw .brokenFile(path: path, reason: "names a credential that is unknown")
            }
            var values: [(name: String, value: String)] = []
            for property in entry.properties {
                guard let bytes = Base64.decode(Array(property.value.utf8)) else {
                    throw .brokenFile(path: path, reason: "\(property.name) is not base64")
                }
                values.append((property.name, String(decoding: bytes, as: UTF8.self)))
            }
            do throws(CredentialProblem) {
                let since = LogPlace(epoch: entry.epoch, sequence: entry.sequence)
                stored.append((try CredentialProperties(kind, values), since))
            } catch { throw .brokenFile(path: path, reason: error.detail) }
        }
        return CredentialSet(stored: stored, now: Clock.now.time, open: open)
    }

    /// Replaces the file; a hub that never had a credential gets none.
    static func write(_ credentials: CredentialSet, in folder: String) throws(ServerError) {
        let path = folder + "/" + name
        let all = credentials.all
        guard !all.isEmpty || FileManager.default.fileExists(atPath: path) else { return }
        let file = File(
            credentials: all.map { entry in
                Entry(
                    kind: entry.properties.kind.rawValue,
                    epoch: entry.since.epoch,
                    sequence: entry.since.sequence,
                    properties: entry.properties.stored.map { name, value in
                        Property(name: name, value: Base64.encode(value.bytes))
                    }
                )
            }
        )
        try JSONFile.write(file, to: path)
    }
}
