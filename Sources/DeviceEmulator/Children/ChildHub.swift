import Foundation
package import HubClient
import Synchronization

/// A hub in a process of its own, in a folder that is removed afterwards; for demo and benchmarks.
package final class ChildHub: Sendable {
    /// How it is started; what is not said it decides itself.
    package struct Options: Sendable {
        /// Device threads, 0 for one per core.
        package var shards = 0
        /// CPUs that it is pinned to, as `taskset` takes them.
        package var cpus: String?
        /// Settings, added to the environment that it inherits.
        package var environment: [String: String] = [:]

        /// The defaults.
        package init() {}
    }

    /// A start reads everything that the folder holds.
    private static let patience: Duration = .seconds(120)

    /// How to reach it.
    package let connection: ConnectionFile
    /// Its data folder.
    package let folder: String
    private let launcher: Launcher
    private let options: Options
    private let program: Mutex<ChildProgram>

    /// Starts `belfry serve` on free ports and waits until it listens.
    /// - Throws: `.notStarted`, `.silent`, `.undescribed`.
    package init(_ launcher: Launcher, _ options: Options = Options()) async throws(ChildFault) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-\(UUID().uuidString)").path
        self.folder = folder
        self.launcher = launcher
        self.options = options
        do throws(ChildFault) {
            let started = try await Self.start(launcher, folder, options, ports: (0, 0))
            program = Mutex(started)
            connection = try Self.description(folder)
        } catch {
            Self.remove(folder)
            throw error
        }
    }

    private static func start(
        _ launcher: Launcher,
        _ folder: String,
        _ options: Options,
        ports: (rest: UInt16, devices: UInt16)
    ) async throws(ChildFault) -> ChildProgram {
        let level = ProcessInfo.processInfo.environment["BELFRY_LOG_LEVEL"] ?? "warning"
        let program = try ChildProgram(
            launcher,
            [
                "serve", "--data", folder, "--rest-port", "\(ports.rest)", "--device-port",
                "\(ports.devices)", "--shards", "\(options.shards)", "--log-level", level,
                "--until-stdin-closes",
            ],
            cpus: options.cpus,
            environment: options.environment
        )
        // The first line says that it listens; an end without one, that it could not.
        guard await program.wait(patience, until: { !$0.isEmpty }) else {
            program.finish()
            throw .silent(what: "the hub")
        }
        return program
    }

    private static func description(_ folder: String) throws(ChildFault) -> ConnectionFile {
        do throws(ConnectionFileError) {
            return try ConnectionFile(dataFolder: folder)
        } catch {
            throw .undescribed(error)
        }
    }

    private static func remove(_ folder: String) {
        // Files that stay lie in the system's temporary folder, which it empties itself.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Kills the hub, as a crash does, and starts it again on the same ports.
    /// - Throws: `.notStarted`, `.silent`, `.undescribed`.
    package func restart() async throws(ChildFault) -> ConnectionFile {
        program.withLock { $0.kill() }
        let ports = (rest: connection.rest.port, devices: connection.devices.port)
        let again = try await Self.start(launcher, folder, options, ports: ports)
        program.withLock { $0 = again }
        return try Self.description(folder)
    }

    /// Its process id.
    package var pid: Int32 { program.withLock { $0.pid } }

    /// Ends the hub in order and removes its folder.
    package func stop() {
        _ = program.withLock { $0.finish() }
        Self.remove(folder)
    }
}
