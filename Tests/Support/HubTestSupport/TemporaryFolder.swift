import Foundation

/// A folder of a test's own, removed with it.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let path: String

    /// Names a folder that is not there yet.
    package init() {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-test-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file below.
    package func file(_ name: String) -> String { path + "/" + name }

    /// The permission bits of a file below, or of the folder itself.
    package func mode(_ name: String = "") throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(
            atPath: name.isEmpty ? path : file(name)
        )
        return attributes[.posixPermissions] as? Int ?? -1
    }

    /// Whether it is a folder.
    package func isFolder(_ name: String = "") throws -> Bool {
        let attributes = try FileManager.default.attributesOfItem(
            atPath: name.isEmpty ? path : file(name)
        )
        return attributes[.type] as? FileAttributeType == .typeDirectory
    }

    /// Everything below, by path from here, ascending.
    package var everything: [String] {
        FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }.sorted() ?? []
    }

    /// Everything but the file that keeps a data folder out of git.
    package var data: [String] { everything.filter { $0 != ".gitignore" } }

    /// A file's text.
    package func text(_ name: String) throws -> String {
        try String(contentsOfFile: file(name), encoding: .utf8)
    }

    /// Replaces a file.
    package func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }
}
