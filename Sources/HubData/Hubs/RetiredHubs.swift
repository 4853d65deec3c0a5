import Foundation
package import HubRelay
import HubVocabulary

/// The secrets of hubs that were deleted, `retired.json` in the data folder: 0600, replaced in one
/// step.
///
/// A handle that such a hub made may stand in another hub's registrations for years. It looks like
/// one of Apple's, and only the secret tells that no service may see it.
package struct RetiredHubs: Sendable {
    /// Hubs that are remembered, the latest ones; each costs work for every handle.
    package static let hubsMax = 16

    private struct Entry: Codable {
        var name: String
        var secret: String
    }

    private let path: String

    init(folder: DataFolder) { path = folder.file("retired.json") }

    /// The hubs, the latest last.
    ///
    /// - Throws: `.brokenFile` for a file that says something else.
    package func read() throws(ServerError) -> [HandleJudge.Hub] {
        let entries: [Entry] = try JSONFile.read(path) ?? []
        var hubs: [HandleJudge.Hub] = []
        for entry in entries {
            guard let name = HubName(entry.name),
                let bytes = Base64.decode(Array(entry.secret.utf8)),
                let secret = HubSecret(bytes)
            else { throw .brokenFile(path: path, reason: "names no hub with a secret") }
            hubs.append(HandleJudge.Hub(name: name, secret: secret))
        }
        return hubs
    }

    /// Adds a hub with its secret in base64, durably; the oldest gives way.
    func add(_ name: HubName, secret: String) throws(ServerError) {
        let known: [Entry] = try JSONFile.read(path) ?? []
        let all = known + [Entry(name: name.description, secret: secret)]
        try JSONFile.write(Array(all.suffix(Self.hubsMax)), to: path)
    }
}
