import DeviceEmulator
import Foundation
import HubClient

/// One of three nodes, `belfry serve --database` on an address of its own.
final class DemoNode {
    /// Its addresses, in the order of the nodes.
    static let hosts = ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
    private static let patience: Duration = .seconds(60)

    let host: String
    private let folder: String
    private let arguments: [String]
    private let launcher: Launcher
    private var program: ChildProgram

    /// Starts a node; a first one gives the others the key of the database's hubs.
    init(
        _ launcher: Launcher,
        at host: String,
        port: Int,
        database: String,
        like first: DemoNode? = nil
    ) throws(ChildFault) {
        self.host = host
        self.launcher = launcher
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-\(UUID().uuidString)").path
        self.folder = folder
        arguments =
            [
                "serve", "--data", folder, "--rest-host", host, "--rest-port", "\(port)",
                "--device-host", host, "--device-port", "\(port + 1)", "--database", database,
                "--shards", "1", "--log-level", "critical", "--until-stdin-closes",
            ] + ([host] + Self.hosts.filter { $0 != host }).flatMap { ["--name", $0] }
        if let first {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                try FileManager.default.copyItem(
                    atPath: first.folder + "/cluster.key",
                    toPath: folder + "/cluster.key"
                )
            } catch {
                throw .refused(what: folder, reason: error.localizedDescription)
            }
        }
        program = try ChildProgram(launcher, arguments)
    }

    /// Waits until it serves the hubs, or another leads; whether it serves them.
    func begins() async throws(ChildFault) -> Bool {
        guard await program.wait(Self.patience, until: { !$0.isEmpty }) else {
            throw .silent(what: "the node at \(host)")
        }
        return Self.leads(program.lines)
    }

    /// Waits until it leads; false when it does not in time, or is not waited for any more.
    var leadWait: @Sendable () async -> Bool {
        { [program] in await program.wait(Self.patience) { Self.leads($0) } }
    }

    private static func leads(_ lines: [String]) -> Bool {
        lines.contains { $0.hasPrefix("belfry: REST on ") }
    }

    /// How to reach it; it has led.
    func connection() throws(ChildFault) -> ConnectionFile {
        do throws(ConnectionFileError) {
            return try ConnectionFile(dataFolder: folder)
        } catch {
            throw .undescribed(error)
        }
    }

    /// Ends it as a crash does.
    func kill() { program.kill() }

    /// Starts it again after its end.
    func startAgain() throws(ChildFault) { program = try ChildProgram(launcher, arguments) }

    /// Ends it in order, and removes its folder.
    func stop() {
        program.finish()
        // Files that stay lie in the temporary folder of the system, which it empties itself.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
