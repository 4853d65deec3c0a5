import Foundation

/// Where a hub is and which key opens it, under a name, so that commands need not be told each time.
package struct HubContext: Codable {
    /// The connection string.
    package var connectionString: String
    /// The hub's name; nil leaves it to `EntityPath` or `--hub`.
    package var hub: String?
    /// The whole path of the authority to trust; nil trusts the system's.
    package var ca: String?

    /// A context of its parts.
    package init(connectionString: String, hub: String?, ca: String?) {
        self.connectionString = connectionString
        self.hub = hub
        self.ca = ca
    }

    /// The folder of all contexts, which their user alone can read.
    private static var folder: String {
        let environment = ProcessInfo.processInfo.environment
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return (base ?? home + "/.config") + "/belfry/contexts"
    }

    private static let ending = ".json"
    private static let missing = "is not there: see 'belfry context list'"

    private static func path(_ name: String) -> String { "\(folder)/\(name)\(ending)" }

    /// The file that names the context in use; no context can have its name.
    private static var usedPath: String { folder + "/.used" }

    /// Whether a context may have a name: it is one of a file, and no hidden one.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.count <= 64 && !text.hasPrefix(".")
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }

    /// The names of all contexts, in alphabetical order.
    package static var names: [String] {
        // Without a folder there is none.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
            .filter(isName).sorted()
    }

    /// The name of the context in use; nil for none.
    package static var used: String? {
        let name = FileManager.default.contents(atPath: usedPath).map {
            String(decoding: $0, as: UTF8.self)
        }
        return name.flatMap { names.contains($0) ? $0 : nil }
    }

    /// Reads a context.
    package static func read(_ name: String) throws(ServerError) -> HubContext {
        guard isName(name), let data = FileManager.default.contents(atPath: path(name)) else {
            throw .brokenFile(path: "context '\(name)'", reason: missing)
        }
        do {
            return try JSONDecoder().decode(HubContext.self, from: data)
        } catch {
            throw .brokenFile(path: path(name), reason: "cannot be read: add the context again")
        }
    }

    /// Keeps it under a name, in place of the one that had it.
    package func write(_ name: String) throws {
        try DataFolder.makeFolder(Self.folder)
        try DataFolder.write([UInt8](JSONEncoder().encode(self)), to: Self.path(name))
    }

    /// Has commands use a context when no option names a hub.
    package static func use(_ name: String) throws(ServerError) {
        _ = try read(name)
        try DataFolder.write(Array(name.utf8), to: usedPath)
    }

    /// Forgets a context.
    package static func remove(_ name: String) throws {
        _ = try read(name)
        try FileManager.default.removeItem(atPath: path(name))
    }
}
