import Foundation
import HubClient
import Synchronization

/// A hub in a process of its own, in a folder that is removed afterwards; for demo and benchmarks.
final class ChildHub: Sendable {
    /// How to reach it.
    let connection: ConnectionFile
    private let folder: URL
    private let shards: Int
    private let cpus: String?
    private let settings: [String: String]
    private let running: Mutex<Running>

    /// A process, and the pipe that it ends with.
    private struct Running {
        var process: Process
        var lifeline: Pipe
    }

    /// Starts `belfry serve` on free ports and waits until it listens.
    ///
    /// The child ends with this process even when that is killed: it watches the pipe that is its
    /// standard input.
    ///
    /// `settings` are added to the environment that it inherits.
    init(shards: Int = 0, cpus: String? = nil, settings: [String: String] = [:]) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-\(UUID().uuidString)")
        self.folder = folder
        self.shards = shards
        self.cpus = cpus
        self.settings = settings
        let started = try Self.start(
            folder,
            shards: shards,
            cpus: cpus,
            settings: settings,
            ports: (0, 0)
        )
        running = Mutex(started)
        do throws(ConnectionFileError) {
            connection = try ConnectionFile(dataFolder: folder.path)
        } catch {
            started.process.terminate()
            throw Failure(error)
        }
    }

    private static func start(
        _ folder: URL,
        shards: Int,
        cpus: String?,
        settings: [String: String],
        ports: (rest: UInt16, devices: UInt16)
    ) throws -> Running {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var arguments = [
            "serve", "--data", folder.path, "--rest-port", "\(ports.rest)", "--device-port",
            "\(ports.devices)", "--shards", "\(shards)", "--log-level", "warning",
            "--until-stdin-closes",
        ]
        let process = Process()
        if let cpus {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
            arguments = ["-c", cpus, executable] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: executable)
        }
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
        let lifeline = Pipe()
        let output = Pipe()
        process.standardInput = lifeline
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            throw Failure("the hub's process cannot be started: \(error.localizedDescription)")
        }
        // The first line says that it listens; an end without one, that it could not.
        let first = output.fileHandleForReading.availableData
        guard !first.isEmpty else {
            process.waitUntilExit()
            if ports.rest == 0 { try? FileManager.default.removeItem(at: folder) }
            throw Failure("the hub did not start")
        }
        return Running(process: process, lifeline: lifeline)
    }

    /// Kills the hub, as a crash does, and starts it again on the same ports.
    func restart() throws -> ConnectionFile {
        try running.withLock { running in
            kill(running.process.processIdentifier, SIGKILL)
            running.process.waitUntilExit()
            running = try Self.start(
                folder,
                shards: shards,
                cpus: cpus,
                settings: settings,
                ports: (connection.rest.port, connection.devices.port)
            )
        }
        do throws(ConnectionFileError) {
            return try ConnectionFile(dataFolder: folder.path)
        } catch {
            throw Failure(error)
        }
    }

    /// Its process id.
    var pid: Int32 { running.withLock { $0.process.processIdentifier } }

    /// Its data folder.
    var folderPath: String { folder.path }

    /// Ends the hub in order and removes its folder.
    func stop() {
        running.withLock { running in
            running.process.terminate()
            running.process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }
}
