import Foundation
package import HubRules
import HubTransport
package import HubVocabulary

/// The folders of hubs, made and removed so that a crash leaves each of them whole or gone.
///
///     hubs/NAME/keys.json      a hub; its stores lie beside, and credentials.json
///     hubs/.new-HEX/           being made; renamed as soon as its keys are durable
///     hubs/.gone-HEX/          being removed; renamed before the first file goes
///
/// What a crash left of the last two is removed at the next start.
package struct HubFolders: Sendable {
    private static let making = ".new-"
    private static let removing = ".gone-"

    private let root: String
    /// The hubs that were deleted.
    package let retired: RetiredHubs
    /// The rules that hold for every hub.
    package let namespace: NamespaceFile

    private struct HubFile: Codable {
        var created: UInt64
        var metadata: String
        var modified: UInt64
        /// Seconds; absent for ever.
        var registrationLife: UInt64?
        var rules: [RuleFile]
        var secret: String
    }

    /// Makes the folder of all hubs and removes what a crash left half made or half removed.
    package init(folder: DataFolder) throws(ServerError) {
        root = folder.file("hubs")
        retired = RetiredHubs(folder: folder)
        namespace = NamespaceFile(folder: folder)
        try DataFolder.makeFolder(root)
        for name in try Self.folders(in: root)
        where name.hasPrefix(Self.making) || name.hasPrefix(Self.removing) {
            try remove(root + "/" + name)
        }
    }

    /// The first hub of a data folder that has files of a store; nil when none has.
    package static func firstStored(in folder: DataFolder) throws(ServerError) -> String? {
        let root = folder.file("hubs")
        guard FileManager.default.fileExists(atPath: root) else { return nil }
        for name in try folders(in: root) {
            if try content(of: root + "/" + name).contains(where: { $0.hasSuffix(".sqlite") }) {
                return name
            }
        }
        return nil
    }

    /// A hub's folder.
    package func path(_ name: HubName) -> String { "\(root)/\(name)" }

    /// Every hub that has a folder, ascending by name; keys that are missing are made.
    ///
    /// - Throws: `.hubName` for a folder that cannot be a hub's, `.brokenFile` for keys that cannot
    ///   be read, or that are missing beside stores.
    package func all() throws(ServerError) -> [StoredHub] {
        var hubs: [StoredHub] = []
        for text in try Self.folders(in: root) {
            guard let name = HubName(text) else { throw .hubName(text) }
            if let known = try read(name) {
                hubs.append(known)
            } else {
                hubs.append(try make(Self.new(name)))
            }
        }
        return hubs
    }

    /// A new hub's keys, with the rules that every hub begins with.
    package static func new(_ name: HubName) throws(ServerError) -> HubDescription {
        do throws(Refusal) {
            return try HubDescription(
                creating: name,
                as: HubDefinition(),
                now: Clock.now.time,
                newKey: HubKeys.newKey
            )
        } catch {
            throw .brokenFile(path: "keys", reason: error.detail)
        }
    }

    // MARK: Changes

    /// Makes a hub with a new secret; it is there as a whole or not at all.
    package func make(_ description: HubDescription) throws(ServerError) -> StoredHub {
        let bytes = HubKeys.randomBytes(HubSecret.byteCount)
        guard let secret = HubSecret(bytes) else {
            throw .brokenFile(path: path(description.name), reason: "no secret could be made")
        }
        let hub = StoredHub(secret: secret, description: description)
        let text = Base64.encode(bytes)
        let folder = path(description.name)
        if FileManager.default.fileExists(atPath: folder) {
            // An operator has made the folder; one that holds a hub is not overwritten.
            guard try read(description.name) == nil else {
                throw .folder(path: folder, reason: "holds a hub that is not served")
            }
            try store(description, secret: text, in: folder)
            return hub
        }
        let aside = root + "/" + Self.making + Self.randomName()
        try DataFolder.makeFolder(aside)
        do throws(ServerError) {
            try store(description, secret: text, in: aside)
            try DataFolder.move(aside, to: folder)
        } catch {
            // Files that are left go at the next start.
            try? FileManager.default.removeItem(atPath: aside)
            throw error
        }
        return hub
    }

    /// Replaces what administrators have changed; the secret stays.
    package func update(_ hub: StoredHub) throws(ServerError) {
        let folder = path(hub.name)
        guard let file = try Self.load(folder) else {
            throw .brokenFile(path: folder + "/keys.json", reason: "is missing")
        }
        try CredentialStore.write(hub.credentials, in: folder)
        try store(hub.description, secret: file.secret, in: folder)
    }

    /// Takes a hub's folder out of sight, in one step that is durable; the path where it is now.
    package func setAside(_ name: HubName) throws(ServerError) -> String {
        let aside = root + "/" + Self.removing + Self.randomName()
        try DataFolder.move(path(name), to: aside)
        return aside
    }

    /// Remembers the secret of a hub that is about to be deleted.
    package func retire(_ name: HubName) throws(ServerError) {
        guard let file = try Self.load(path(name)) else { return }
        try retired.add(name, secret: file.secret)
    }

    /// Removes a folder with everything in it.
    package func remove(_ path: String) throws(ServerError) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw .folder(path: path, reason: error.localizedDescription)
        }
    }

    // MARK: Files

    private func store(
        _ description: HubDescription,
        secret: String,
        in folder: String
    ) throws(ServerError) {
        let file = HubFile(
            created: description.created.milliseconds,
            metadata: description.metadata,
            modified: description.modified.milliseconds,
            registrationLife: description.registrationLife.seconds,
            rules: description.rules.map(RuleFile.init),
            secret: secret
        )
        try JSONFile.write(file, to: folder + "/keys.json")
    }

    private static func load(_ folder: String) throws(ServerError) -> HubFile? {
        try JSONFile.read(folder + "/keys.json")
    }

    /// The secret of the hub whose keys lie in a folder; nil where there are none.
    package static func secret(in folder: String) throws(ServerError) -> HubSecret? {
        guard let file = try load(folder) else { return nil }
        return try secret(of: file, folder + "/keys.json")
    }

    private static func secret(
        of file: HubFile,
        _ path: String
    ) throws(ServerError) -> HubSecret {
        guard let bytes = Base64.decode(Array(file.secret.utf8)), let secret = HubSecret(bytes)
        else { throw .brokenFile(path: path, reason: "'secret' is not 32 bytes of base64") }
        return secret
    }

    /// Reads the hub of a folder; nil when it has neither keys nor stores.
    private func read(_ name: HubName) throws(ServerError) -> StoredHub? {
        let folder = path(name)
        try DataFolder.makeFolder(folder)
        let path = folder + "/keys.json"
        guard let file = try Self.load(folder) else {
            try Self.requireNew(folder, path: path)
            return nil
        }
        let secret = try Self.secret(of: file, path)
        var rules: [HubRule] = []
        for rule in file.rules { rules.append(try rule.rule(path: path)) }
        let description = HubDescription(
            name: name,
            rules: rules,
            metadata: file.metadata,
            registrationLife: RegistrationLife(seconds: file.registrationLife),
            created: Timestamp(milliseconds: file.created),
            modified: Timestamp(milliseconds: file.modified)
        )
        var hub = StoredHub(secret: secret, description: description)
        hub.credentials = try CredentialStore.read(in: folder)
        return hub
    }

    /// Names of the folders below a folder, ascending; other files are left out.
    private static func folders(in root: String) throws(ServerError) -> [String] {
        do {
            return try FileManager.default
                .contentsOfDirectory(
                    at: URL(fileURLWithPath: root),
                    includingPropertiesForKeys: [.isDirectoryKey]
                )
                .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
                .map(\.lastPathComponent)
                .sorted()
        } catch {
            throw .folder(path: root, reason: error.localizedDescription)
        }
    }

    /// Handles and device keys are made from the secret: without it a hub that has stored something
    /// is not the same hub, so its keys are never made anew.
    private static func requireNew(_ folder: String, path: String) throws(ServerError) {
        guard try !content(of: folder).contains(where: { $0.hasSuffix(".sqlite") }) else {
            throw .brokenFile(
                path: path,
                reason: "is missing, but the hub's stores are there; put it back from a backup"
            )
        }
    }

    private static func content(of folder: String) throws(ServerError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .folder(path: folder, reason: error.localizedDescription)
        }
    }

    private static func randomName() -> String {
        HexText.lowercase(HubKeys.randomBytes(8))
    }
}
