import Foundation

/// A folder that goes with its last holder.
final class ScenarioFolder: Sendable {
    let path: String

    init() {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-scenario-\(UUID().uuidString)").path
        // Where this fails, whatever uses the folder says so.
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The token that the hub of this data folder wrote for readers of its numbers.
    func metricsToken() throws -> String {
        let text = try String(contentsOfFile: file("metrics.token"), encoding: .utf8)
        return "SharedAccessSignature " + text.trimmingCharacters(in: .newlines)
    }

    /// A path below the folder.
    func file(_ name: String) -> String { path + "/" + name }

    /// Replaces a file, making folders as needed.
    func write(_ text: String, to name: String) throws {
        let path = file(name)
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
}
