import Crypto
package import HubData
import HubVocabulary

/// `cluster.key` of a data folder: 32 bytes in base64, the same on every node of a database.
///
/// It seals the keys of the database's hubs: readers of the database read no key.
package struct ClusterKey: Sendable {
    static let name = "cluster.key"
    private static let byteCount = 32

    private let key: SymmetricKey

    /// Reads the file of a folder; nil when there is none.
    package init?(of folder: DataFolder) throws(ServerError) { try self.init(in: folder.path) }

    /// Reads the file of a folder that another process may hold; nil when there is none.
    init?(in folder: String) throws(ServerError) {
        let path = folder + "/" + Self.name
        guard let text = try DataFolder.read(path) else { return nil }
        let line = Array(text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        guard let bytes = Base64.decode(line), bytes.count == Self.byteCount else {
            throw .brokenFile(path: path, reason: "is not \(Self.byteCount) bytes of base64")
        }
        key = SymmetricKey(data: bytes)
    }

    /// Reads the file of a folder, and makes it where there is none.
    package init(madeFor folder: DataFolder) throws(ServerError) {
        if let known = try ClusterKey(of: folder) {
            self = known
            return
        }
        let bytes = HubKeys.randomBytes(Self.byteCount)
        let text = Base64.encode(bytes) + "\n"
        try DataFolder.write(Array(text.utf8), to: folder.file(Self.name))
        key = SymmetricKey(data: bytes)
    }

    /// Seals bytes of one database.
    package func seal(_ bytes: [UInt8], of database: String) throws(ServerError) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(bytes, using: key, authenticating: Array(database.utf8))
            guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
            return Array(combined)
        } catch {
            throw .database(reason: "the keys of the hubs cannot be sealed: \(error)")
        }
    }

    /// Bytes for one purpose among the nodes of one database, from which the key cannot be told.
    package func derived(_ purpose: String, of database: String) -> [UInt8] {
        let label = Array("belfry \(purpose) \(database)".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: label, using: key))
    }

    /// Opens bytes that a node of the same database sealed; nil for any others.
    package func open(_ bytes: [UInt8], of database: String) -> [UInt8]? {
        // Why it does not open says nothing that helps.
        guard let box = try? AES.GCM.SealedBox(combined: bytes) else { return nil }
        // Another key, or another database's.
        let opened = try? AES.GCM.open(box, using: key, authenticating: Array(database.utf8))
        return opened.map { Array($0) }
    }
}
