import Foundation
package import HubCore

/// Keys of the namespace and its hubs, as the data folder holds them.
package struct HubKeys: Sendable {
    /// Every hub with its secret and access rules, ascending by name.
    package var hubs: [(name: HubName, secret: HubSecret, rules: [AccessRule])]
    /// Rules that hold for every hub.
    package var namespace: [AccessRule]

    /// One access rule in a file.
    private struct RuleFile: Codable {
        var name: String
        var primaryKey: String
        var secondaryKey: String
        var rights: [String]
    }

    private struct HubFile: Codable {
        var secret: String
        var rules: [RuleFile]
    }

    /// Reads the keys; makes those that are missing, for the namespace and each hub named.
    package init(folder: DataFolder, hubs names: [String]) throws(ServerError) {
        var random = SystemRandomNumberGenerator()
        let path = folder.file("namespace.json")
        if let rules: [RuleFile] = try Self.load(path) {
            namespace = try Self.rules(rules, path: path)
        } else {
            namespace = try Self.made { () throws(Refusal) in
                try AccessRule.namespaceDefaults(newKey: Self.newKey)
            }
            try Self.store(namespace.map(Self.file), to: path)
        }
        let root = folder.file("hubs")
        try DataFolder.makeFolder(root)
        let found = try Self.folders(in: root)
        hubs = []
        for text in found.isEmpty ? names : found {
            guard let name = HubName(text) else { throw .hubName(text) }
            hubs.append(try Self.hub(name, root: root, random: &random))
        }
    }

    /// Names of the folders below a folder, ascending; other files are nobody's hub.
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
        let content = try? FileManager.default.contentsOfDirectory(atPath: folder)
        guard content?.contains(where: { $0.hasSuffix(".sqlite") }) != true else {
            throw .brokenFile(
                path: path,
                reason: "is missing, but the hub's stores are there; put it back from a backup"
            )
        }
    }

    private static func hub(
        _ name: HubName,
        root: String,
        random: inout SystemRandomNumberGenerator
    ) throws(ServerError) -> (name: HubName, secret: HubSecret, rules: [AccessRule]) {
        let folder = root + "/" + name.description
        try DataFolder.makeFolder(folder)
        let path = folder + "/keys.json"
        if let file: HubFile = try load(path) {
            guard let bytes = Data(base64Encoded: file.secret),
                let secret = HubSecret([UInt8](bytes))
            else { throw .brokenFile(path: path, reason: "'secret' is not 32 bytes of base64") }
            return (name, secret, try rules(file.rules, path: path))
        }
        try requireNew(folder, path: path)
        let bytes = (0..<HubSecret.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
        guard let secret = HubSecret(bytes) else {
            throw .brokenFile(path: path, reason: "no secret could be made")
        }
        let made = try made { () throws(Refusal) in
            try AccessRule.hubDefaults(newKey: newKey)
        }
        let file = HubFile(secret: Data(bytes).base64EncodedString(), rules: made.map(Self.file))
        try store(file, to: path)
        return (name, secret, made)
    }

    private static func newKey() -> String {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<AccessRule.keyBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
        return AccessRule.keyText(random: bytes)
    }

    /// Rules of our own making are within every limit.
    private static func made(
        _ rules: () throws(Refusal) -> [AccessRule]
    ) throws(ServerError) -> [AccessRule] {
        do throws(Refusal) {
            return try rules()
        } catch {
            throw .brokenFile(path: "keys", reason: error.detail)
        }
    }

    private static func file(_ rule: AccessRule) -> RuleFile {
        RuleFile(
            name: rule.name,
            primaryKey: rule.primaryKey,
            secondaryKey: rule.secondaryKey,
            rights: rule.rights.map(\.name)
        )
    }

    private static func rules(
        _ files: [RuleFile],
        path: String
    ) throws(ServerError) -> [AccessRule] {
        var rules: [AccessRule] = []
        for file in files {
            var rights: [AccessRight] = []
            for word in file.rights {
                guard let right = AccessRight.allCases.first(where: { $0.name == word }) else {
                    throw .brokenFile(path: path, reason: "rule '\(file.name)': no right '\(word)'")
                }
                rights.append(right)
            }
            do throws(Refusal) {
                rules.append(
                    try AccessRule(
                        name: file.name,
                        primaryKey: file.primaryKey,
                        secondaryKey: file.secondaryKey,
                        rights: rights
                    )
                )
            } catch {
                throw .brokenFile(path: path, reason: "rule '\(file.name)': \(error.detail)")
            }
        }
        return rules
    }

    private static func load<Content: Decodable>(_ path: String) throws(ServerError) -> Content? {
        guard let bytes = try DataFolder.read(path) else { return nil }
        do {
            return try JSONDecoder().decode(Content.self, from: Data(bytes))
        } catch {
            throw .brokenFile(path: path, reason: "not the JSON that was written there")
        }
    }

    private static func store(_ content: some Encodable, to path: String) throws(ServerError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(content) else {
            throw .brokenFile(path: path, reason: "cannot be written as JSON")
        }
        try DataFolder.write([UInt8](data), to: path)
    }
}
