import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// A small collector of spans: answers with a status, and keeps what it was sent.
final class Collector: Sendable {
    private let received = Mutex<[(type: String?, bytes: Data)]>([])
    private let status: Mutex<Int>
    /// What it writes behind the status.
    private let body: Body

    /// The body of an answer.
    enum Body {
        case empty
        /// So many bytes.
        case long(Int)
        /// One that begins, and never ends.
        case endless
    }

    private init(_ status: Int, _ body: Body) {
        self.status = Mutex(status)
        self.body = body
    }

    /// The bodies that it was sent, with their content types.
    var bodies: [(type: String?, bytes: Data)] { received.withLock { $0 } }

    /// Answers so from now on.
    func answer(_ status: Int) { self.status.withLock { $0 = status } }

    /// Runs a test with a collector, and with the address at which it listens.
    static func run(
        _ status: Int = 200,
        answering content: Body = .empty,
        _ body: (Collector, String) async throws -> Void
    ) async throws {
        let collector = Collector(status, content)
        let router = Router()
        router.post("/v1/traces") { request, _ in
            let bytes = try await request.body.collect(upTo: 1 << 22)
            collector.received.withLock {
                $0.append((request.headers[.contentType], Data(bytes.readableBytesView)))
            }
            return collector.response(from: request)
        }
        // Where redirects lead to.
        router.get("/elsewhere") { _, _ in HTTPResponse.Status.ok }
        router.post("/elsewhere") { _, _ in HTTPResponse.Status.ok }
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

    private func response(from request: Request) -> Response {
        let content: ResponseBody =
            switch body {
            case .empty: .init()
            case .long(let count): .init(byteBuffer: ByteBuffer(repeating: 32, count: count))
            case .endless:
                .init { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    let (more, end) = AsyncStream<Void>.makeStream()
                    for await _ in more {}
                    end.finish()
                }
            }
        return Response(
            status: .init(code: status.withLock { $0 }),
            headers: [.location: "/elsewhere"],
            body: content
        )
    }
}
