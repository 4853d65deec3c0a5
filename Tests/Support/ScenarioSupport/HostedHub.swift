import HubClient
import HubMetrics
import HubServer
import HubTestSupport
import Logging
import Testing

/// A server inside the test process, for tests that look at its numbers.
final class HostedHub: Sendable {
    let folder: ScenarioFolder
    let server: BelfryServer
    let connection: ConnectionFile
    private let running: Task<Void, any Error>

    /// A logger that says nothing.
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    /// Starts on free ports and waits until both listen.
    init(
        in folder: ScenarioFolder = ScenarioFolder(),
        logger: Logger = silent,
        configure: (inout ServerOptions) -> Void = { _ in }
    ) async throws {
        var options = ServerOptions(data: folder.path)
        options.rest.port = 0
        options.devices.port = 0
        options.devices.shards = 2
        configure(&options)
        let server = try BelfryServer(options, logger: logger)
        let listening = EventLog<ConnectionFile>()
        running = Task {
            defer { listening.finish() }
            try await server.run { listening.append($0) }
        }
        try await listening.wait(for: "a hub that listens") { !$0.isEmpty }
        self.folder = folder
        self.server = server
        connection = try ConnectionFile(dataFolder: folder.path)
    }

    /// Runs a test with a hub that is stopped afterwards, whatever happens.
    static func run(
        in folder: ScenarioFolder = ScenarioFolder(),
        logger: Logger = silent,
        configure: (inout ServerOptions) -> Void = { _ in },
        _ body: (HostedHub) async throws -> Void
    ) async throws {
        let hub = try await HostedHub(in: folder, logger: logger, configure: configure)
        do {
            try await body(hub)
        } catch {
            try await hub.stop()
            throw error
        }
        try await hub.stop()
    }

    /// Ends the server in order.
    func stop() async throws {
        running.cancel()
        do {
            try await running.value
        } catch is CancellationError {
            return
        }
    }

    /// Connections of all shards, in any state.
    func connections() async -> Int {
        await server.reports().reduce(0) { $0 + $1.connections }
    }

    /// Asks until every shard together satisfies a condition; each question is answered by the
    /// shards' own threads in their next turn.
    func report(
        of expectation: String,
        until isReached: ([ShardReport]) -> Bool
    ) async throws {
        try await eventually(expectation) { isReached(await server.reports()) }
    }

    /// Fails unless every connection goes away.
    func expectNoConnections(_ location: SourceLocation = #_sourceLocation) async {
        do {
            try await report(of: "no connections") { $0.allSatisfy { $0.connections == 0 } }
        } catch {
            let left = await connections()
            Issue.record("\(left) connections are left: \(error)", sourceLocation: location)
        }
    }
}
