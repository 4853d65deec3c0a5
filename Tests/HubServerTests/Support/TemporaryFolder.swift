import Foundation
import HubTestSupport

/// A folder of a test's own, removed with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-test-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// The permission bits of a file below, or of the folder itself.
    func mode(_ name: String = "") throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(
            atPath: name.isEmpty ? path : file(name)
        )
        return attributes[.posixPermissions] as? Int ?? -1
    }

    /// Whether it is a folder.
    func isFolder(_ name: String = "") throws -> Bool {
        let attributes = try FileManager.default.attributesOfItem(
            atPath: name.isEmpty ? path : file(name)
        )
        return attributes[.type] as? FileAttributeType == .typeDirectory
    }

    /// Everything below, by path from here, ascending.
    var everything: [String] {
        FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }.sorted() ?? []
    }

    /// Everything but the file that keeps a data folder out of git.
    var data: [String] { everything.filter { $0 != ".gitignore" } }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: file(name), encoding: .utf8)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }
}

/// Runs a program to its end.
enum Program {
    /// Its exit code, and everything that it printed.
    static func run(_ path: String, _ arguments: [String]) throws -> (code: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = try Spawning.alone {
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            return output
        }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// `openssl` with these arguments.
    static func openssl(_ arguments: String...) throws -> (code: Int32, text: String) {
        try run("/usr/bin/openssl", arguments)
    }
}
