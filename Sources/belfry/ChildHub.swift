import Foundation
import HubClient

/// A hub in a process of its own, in a folder that is removed afterwards; for demo and benchmarks.
final class ChildHub: Sendable {
    /// How to reach it.
    let connection: ConnectionFile
    private let process: Process
    private let folder: URL
    private let lifeline: Pipe

    /// Starts `belfry serve` on free ports and waits until it listens.
    ///
    /// The child ends with this process even when that is killed: it watches the pipe that is its
    /// standard input.
    init(shards: Int = 0, cpus: String? = nil) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-\(UUID().uuidString)")
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var arguments = [
            "serve", "--data", folder.path, "--rest-port", "0", "--device-port", "0",
            "--shards", "\(shards)", "--log-level", "warning", "--until-stdin-closes",
        ]
        let process = Process()
        if let cpus {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
            arguments = ["-c", cpus, executable] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: executable)
        }
        process.arguments = arguments
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
            try? FileManager.default.removeItem(at: folder)
            throw Failure("the hub did not start")
        }
        do throws(ConnectionFileError) {
            connection = try ConnectionFile(dataFolder: folder.path)
        } catch {
            process.terminate()
            throw Failure(error)
        }
        self.process = process
        self.folder = folder
        self.lifeline = lifeline
    }

    /// Ends the hub in order and removes its folder.
    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
