import Foundation
import HubClient
import HubTestSupport
import HubTransport

/// One node of a database, `belfry serve --database` as a child process with ports of its own.
final class ServedNode {
    /// What a node does, by the words with which it says so.
    enum Role: String, CaseIterable {
        case leads = "belfry: REST on "
        case standsBy = "belfry: standby on "

        static func isTold(_ line: String) -> Bool {
            allCases.contains { line.hasPrefix($0.rawValue) }
        }
    }

    let folder = ScenarioFolder()
    let rest: UInt16
    let devices: UInt16
    /// The database that has its hubs.
    let databaseURL: String
    private let environment: [String: String]
    /// The network namespace in which it runs; nil for that of the tests.
    private let network: String?
    private(set) var program: Program

    /// Starts a node; `other` gives it the key of the database's hubs.
    init(
        _ database: String,
        like other: ServedNode? = nil,
        in network: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        self.network = network
        self.environment = environment
        databaseURL = database
        rest = try Self.freePorts()
        devices = rest + 1
        if let other {
            try FileManager.default.copyItem(
                atPath: other.folder.file("cluster.key"),
                toPath: folder.file("cluster.key")
            )
        }
        program = try Self.started(folder, rest, devices, database, network, environment)
    }

    /// The first of two ports at which no process listens, below those that the system gives away.
    private static func freePorts() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 10_000..<16_000) * 2
            do throws(TransportError) {
                for one in [port, port + 1] {
                    let address = try SocketAddress(numeric: "127.0.0.1", port: one)
                    _ = try Listeners(at: address, count: 1)
                }
                return port
            } catch {
                // Another test has one of them.
                continue
            }
        }
        throw RigLoad.Failed(reason: "two ports beside each other are free nowhere")
    }

    /// Two nodes of a new database: the first one leads, the other waits.
    ///
    /// Of the connection only the ports are the leader's own.
    static func pair() async throws -> (
        first: ServedNode, second: ServedNode, connection: ConnectionFile
    ) {
        let url = try TemporaryPostgres.shared.get().newDatabase()
        let first = try ServedNode(url)
        let connection = try await first.leads()
        let second = try ServedNode(url, like: first)
        try await second.standsBy()
        return (first, second, connection)
    }

    private static func started(
        _ folder: ScenarioFolder,
        _ rest: UInt16,
        _ devices: UInt16,
        _ database: String,
        _ network: String?,
        _ environment: [String: String]
    ) throws -> Program {
        let arguments = [
            "serve", "--data", folder.path, "--rest-port", "\(rest)", "--device-port",
            "\(devices)", "--until-stdin-closes", "--database", database,
        ]
        let environment = environment.merging(
            ["BELFRY_DATABASE_LEASE_SECONDS": "\(Rig.leaseSeconds)"]
        ) { $1 }
        guard let network else { return try Program.belfry(arguments, environment: environment) }
        let all = ["--rest-host", "0.0.0.0", "--device-host", "0.0.0.0", "--confirm-public-bind"]
        return try Program(
            "/usr/bin/env",
            ["ip", "netns", "exec", network, try Program.belfryPath] + arguments + all,
            environment: environment
        )
    }

    /// Starts it again after its end, as a service manager does.
    func startAgain() throws {
        program = try Self.started(folder, rest, devices, databaseURL, network, environment)
    }

    /// What it does, as it last said; nil while it has said nothing, and once it has ended.
    var role: Role? {
        guard !program.hasEnded, let line = program.output.events.last(where: Role.isTold)
        else { return nil }
        return Role.allCases.first { line.hasPrefix($0.rawValue) }
    }

    /// Waits until it serves the hubs.
    @discardableResult
    func leads(seconds: Int = 60) async throws -> ConnectionFile {
        try await wait(for: Role.leads.rawValue, seconds: seconds)
        return try ConnectionFile(dataFolder: folder.path)
    }

    /// Waits until it says that another leads.
    func standsBy() async throws { try await wait(for: Role.standsBy.rawValue, seconds: 60) }

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
