import Foundation
package import HubData
import HubVocabulary

/// The files of a data folder that every node of a database has to have alike.
///
/// Keys and rules of hubs and of the namespace, credentials of push services, secrets of deleted
/// hubs, and the development authority. Certificates, sessions and the audit are a node's own.
package struct KeyFiles: Codable, Equatable, Sendable {
    private static let single = [
        "namespace.json", "retired.json", "tls/ca.pem", "tls/ca-key.pem",
    ]
    private static let ofHub = ["keys.json", "credentials.json"]

    /// By their paths in the folder.
    private var files: [String: Data]

    private struct Secret: Decodable { var secret: String }

    /// Reads them.
    package init(in folder: DataFolder) throws(ServerError) {
        files = [:]
        let hubs = try Self.hubs(in: folder)
        for path in Self.single + hubs.flatMap({ hub in Self.ofHub.map { "hubs/\(hub)/\($0)" } }) {
            if let bytes = try DataFolder.read(folder.file(path)) { files[path] = Data(bytes) }
        }
    }

    /// Reads what `bytes` wrote.
    package init?(_ bytes: [UInt8]) {
        // Only a node with the key can have sealed anything else.
        guard let known = try? JSONDecoder().decode(KeyFiles.self, from: Data(bytes)) else {
            return nil
        }
        self = known
    }

    /// As they are sealed.
    package func bytes() throws(ServerError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            return Array(try encoder.encode(self))
        } catch {
            throw .database(reason: "the keys of the hubs cannot be written")
        }
    }

    /// Makes a folder's files these; a hub that they do not name goes, with its copy.
    ///
    /// A hub of another secret is another hub, and the copy of the one before goes too.
    package func write(to folder: DataFolder) throws(ServerError) {
        let named = Set(files.keys.compactMap(Self.hub))
        for hub in try Self.hubs(in: folder) where !named.contains(hub) {
            try Self.remove(folder.file("hubs/\(hub)"))
        }
        for hub in named.sorted() {
            guard HubName(hub) != nil else {
                throw .database(reason: "the sealed keys name no hub: '\(hub)'")
            }
            try removeOther(hub, folder)
            try DataFolder.makeFolder(folder.file("hubs/\(hub)"))
        }
        if files.keys.contains(where: { $0.hasPrefix("tls/") }) {
            try DataFolder.makeFolder(folder.file("tls"))
        }
        let present = try KeyFiles(in: folder)
        for (path, bytes) in files.sorted(by: { $0.key < $1.key })
        where present.files[path] != bytes {
            guard Self.isOurs(path) else {
                throw .database(reason: "the sealed keys name a file that is none: '\(path)'")
            }
            try DataFolder.write(Array(bytes), to: folder.file(path))
        }
        for path in present.files.keys.sorted() where files[path] == nil {
            try Self.remove(folder.file(path))
        }
    }

    private func removeOther(_ hub: String, _ folder: DataFolder) throws(ServerError) {
        let path = "hubs/\(hub)/keys.json"
        guard let present = try DataFolder.read(folder.file(path)), let bytes = files[path],
            Self.secret(Data(present)) != Self.secret(bytes)
        else { return }
        try Self.remove(folder.file("hubs/\(hub)"))
    }

    private static func secret(_ file: Data) -> String? {
        // A file that cannot be read is another's.
        try? JSONDecoder().decode(Secret.self, from: file).secret
    }

    private static func isOurs(_ path: String) -> Bool {
        if single.contains(path) { return true }
        guard let hub = hub(path) else { return false }
        return HubName(hub) != nil && ofHub.contains { path == "hubs/\(hub)/\($0)" }
    }

    /// The hub of a path below `hubs`.
    private static func hub(_ path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "hubs" ? String(parts[1]) : nil
    }

    private static func hubs(in folder: DataFolder) throws(ServerError) -> [String] {
        let root = folder.file("hubs")
        guard FileManager.default.fileExists(atPath: root) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: root)
                .filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            throw .folder(path: root, reason: error.localizedDescription)
        }
    }

    private static func remove(_ path: String) throws(ServerError) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw .folder(path: path, reason: error.localizedDescription)
        }
    }
}
