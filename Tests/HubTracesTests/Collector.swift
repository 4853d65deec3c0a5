import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// A small collector of spans: answers with a status, and keeps what it was sent.
final class Collector: Sendable {
    private let received = Mutex<[(type: String?, bytes: Data)]>([])
    private let status: Mutex<Int>

    private init(_ status: Int) { self.status = Mutex(status) }

    /// The bodies that it was sent, with their content types.
    var bodies: [(type: String?, bytes: Data)] { received.withLock { $0 } }

    /// Answers so from now on.
    func answer(_ status: Int) { self.status.withLock { $0 = status } }

    /// Runs a test with a collector, and with the address at which it listens.
    static func run(
        _ status: Int = 200,
        _ body: (Collector, String) async throws -> Void
    ) async throws {
        let collector = Collector(status)
        let router = Router()
        router.post("/v1/traces") { request, _ in
            let bytes = try await request.body.collect(upTo: 1 << 22)
            collector.received.withLock {
                $0.append((request.headers[.contentType], Data(bytes.readableBytesView)))
            }
            return Response(status: .init(code: collector.status.withLock { $0 }))
        }
        let ports = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { ports.continuation.yield($0.localAddress?.port ?? 0) }
        )
        let running = Task { try await application.run() }
        defer { running.cancel() }
        for await port in ports.stream {
            try await body(collector, "http://127.0.0.1:\(port)/v1/traces")
            return
        }
    }
}
