import Foundation
import HubClient
import NIOCore
import NIOPosix

/// `belfry serve` as a child process in a temporary folder, on free ports.
final class RunningHub: Sendable {
    /// It ended instead of listening.
    struct DidNotStart: Error, CustomStringConvertible {
        let errors: [String]
        var description: String { "the hub did not start: \(errors)" }
    }

    let folder: ScenarioFolder
    let program: Program
    let connection: ConnectionFile
    private let arguments: [String]

    /// Starts and waits until it listens.
    static func start(
        in folder: ScenarioFolder = ScenarioFolder(),
        _ arguments: [String] = []
    ) async throws -> RunningHub {
        try await RunningHub(folder, arguments, ports: (0, 0))
    }

    private init(
        _ folder: ScenarioFolder,
        _ arguments: [String],
        ports: (rest: UInt16, devices: UInt16)
    ) async throws {
        self.folder = folder
        self.arguments = arguments
        program = try Program.belfry(
            [
                "serve", "--data", folder.path, "--rest-port", "\(ports.rest)",
                "--device-port", "\(ports.devices)", "--until-stdin-closes",
            ] + arguments
        )
        do {
            try await program.output.wait(for: "the line of a hub that listens") { lines in
                lines.contains { $0.hasPrefix("belfry: REST on ") }
            }
        } catch {
            throw DidNotStart(errors: program.errors.events)
        }
        connection = try ConnectionFile(dataFolder: folder.path)
    }

    /// Starts again after an end, with the same folder and ports, and more arguments.
    func startedAgain(_ more: [String] = []) async throws -> RunningHub {
        try await Self.clientsNoticeEnds()
        return try await RunningHub(
            folder,
            arguments + more,
            ports: (connection.rest.port, connection.devices.port)
        )
    }

    /// Turns the clients' loops, so that none sends its next request over a connection that has ended.
    private static func clientsNoticeEnds() async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            for _ in 0..<3 { try await loop.submit {}.get() }
        }
    }

    /// Starts on ports below those that the system gives away, so that no program takes them while
    /// the hub is away.
    static func startRestartable(
        _ arguments: [String] = [],
        in folder: ScenarioFolder = ScenarioFolder()
    ) async throws -> RunningHub {
        var refusals: [String] = []
        for _ in 0..<8 {
            let rest = UInt16.random(in: 10_000..<32_000)
            do {
                return try await RunningHub(folder, arguments, ports: (rest, rest + 1))
            } catch let error as DidNotStart {
                refusals += error.errors
            }
        }
        throw DidNotStart(errors: refusals)
    }

    /// Ends in order, as an operator does; the exit code.
    func terminate(seconds: Int = 45) async throws -> Int32 {
        program.signal(SIGTERM)
        return try await program.exitCode(seconds: seconds)
    }

    /// Ends without a word, as a crash does.
    func kill() async throws {
        program.signal(SIGKILL)
        _ = try await program.exitCode()
    }
}
