import Foundation
import HubEndpoint
import HubTestSupport
import Logging
import Testing

@testable import HubServer

/// A whole server on free ports, inside the test's process.
final class RunningHub: Sendable {
    let place = TemporaryFolder()
    let server: BelfryServer
    let connection: ConnectionFile
    let running: Task<Void, any Error>

    /// Starts and waits until both listeners accept.
    init(
        logger: Logger = silent,
        _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws {
        var options = ServerOptions(data: place.path)
        options.rest.port = 0
        options.devices.port = 0
        options.devices.shards = 2
        // An end that has to be forced never comes in a test's time.
        options.rest.limits.shutdownSeconds = 86_400
        change(&options)
        let server = try BelfryServer(options, logger: logger)
        let ready = AsyncStream<ConnectionFile>.makeStream()
        running = Task {
            defer { ready.continuation.finish() }
            try await server.run { ready.continuation.yield($0) }
        }
        var descriptions = ready.stream.makeAsyncIterator()
        guard let connection = await descriptions.next() else {
            // Of a test whose time is over the server would go on for good.
            server.stop()
            try await running.value
            throw CancellationError()
        }
        self.server = server
        self.connection = connection
    }

    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    /// Ends the server in order.
    func stop() async throws {
        server.stop()
        try await running.value
    }

    /// A TLS connection to REST.
    func peer(_ protocols: String = "http/1.1", name: String = "localhost") throws -> TLSPeer {
        try TLSPeer(
            port: Int(connection.rest.port),
            authority: try #require(connection.ca),
            protocols: protocols,
            name: name
        )
    }
}

/// Calls that block, off the threads that tasks share: a server in the same process needs those.
enum Blocking {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }
}
