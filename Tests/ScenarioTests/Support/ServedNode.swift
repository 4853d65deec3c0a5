import Foundation
import HubClient
import HubTestSupport

/// One node of a database, `belfry serve --database` as a child process with ports of its own.
final class ServedNode {
    let folder = TemporaryFolder()
    let rest: UInt16
    let devices: UInt16
    /// The database that has its hubs.
    let databaseURL: String
    private let environment: [String: String]
    /// Longer than a busy machine lets a process wait.
    private static let leaseSeconds = 8
    private(set) var program: Program

    /// Starts a node; `other` gives it the key of the database's hubs.
    init(
        _ database: String,
        like other: ServedNode? = nil,
        environment: [String: String] = [:]
    ) throws {
        self.environment = environment
        databaseURL = database
        // Below those that the system gives away.
        rest = UInt16.random(in: 10_000..<16_000) * 2
        devices = rest + 1
        if let other {
            try FileManager.default.copyItem(
                atPath: other.folder.file("cluster.key"),
                toPath: folder.file("cluster.key")
            )
        }
        program = try Self.started(folder, rest, devices, database, environment)
    }

    private static func started(
        _ folder: TemporaryFolder,
        _ rest: UInt16,
        _ devices: UInt16,
        _ database: String,
        _ environment: [String: String]
    ) throws -> Program {
        try Program.belfry(
            [
                "serve", "--data", folder.path, "--rest-port", "\(rest)", "--device-port",
                "\(devices)", "--until-stdin-closes", "--database", database,
            ],
            environment: environment.merging(
                ["BELFRY_DATABASE_LEASE_SECONDS": "\(leaseSeconds)"]
            ) { $1 }
        )
    }

    /// Starts it again after its end, as a service manager does.
    func startAgain() throws {
        program = try Self.started(folder, rest, devices, databaseURL, environment)
    }

    /// Waits until it serves the hubs.
    @discardableResult
    func leads(seconds: Int = 60) async throws -> ConnectionFile {
        try await wait(for: "belfry: REST on ", seconds: seconds)
        return try ConnectionFile(dataFolder: folder.path)
    }

    /// Waits until it says that another leads.
    func standsBy() async throws { try await wait(for: "belfry: standby on ", seconds: 60) }

    private func wait(for line: String, seconds: Int) async throws {
        do {
            try await program.output.wait(for: line, seconds: seconds) { lines in
                lines.contains { $0.hasPrefix(line) }
            }
        } catch {
            throw RigLoad.Failed(reason: "\(error): \(program.errors.events)")
        }
    }

    /// What `belfry cluster status` prints with its folder.
    func clusterStatus(_ more: [String] = []) async throws -> [String] {
        try await cluster("status", more)
    }

    /// What a command of `belfry cluster` prints with its folder.
    @discardableResult
    func cluster(_ command: String, _ more: [String]) async throws -> [String] {
        let place = ["--data", folder.path, "--database", databaseURL]
        let program = try Program.belfry(["cluster", command] + place + more)
        let code = try await program.exitCode()
        guard code == 0 else { throw RigLoad.Failed(reason: "\(program.errors.events)") }
        return program.output.events
    }

    /// Stops each of its threads, as a machine that hangs does, and waits until they stand still.
    func freeze() async throws {
        program.signal(SIGSTOP)
        let tasks = "/proc/\(program.pid)/task"
        try await eventually("a node that stands still") {
            try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { task in
                let stat = try String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
                return stat.split(separator: ")").last?.hasPrefix(" T") == true
            }
        }
    }

    /// Lets it go on after `freeze`.
    func thaw() { program.signal(SIGCONT) }

    /// Ends without a word.
    func kill() async throws {
        program.signal(SIGKILL)
        _ = try await program.exitCode()
    }

    /// Ends in order; the exit code.
    func terminate() async throws -> Int32 {
        program.signal(SIGTERM)
        return try await program.exitCode()
    }
}

extension ConnectionFile {
    /// The same hub at a node's ports.
    func at(_ node: ServedNode) -> ConnectionFile {
        var there = self
        there.rest.port = node.rest
        there.devices.port = node.devices
        return there
    }
}
