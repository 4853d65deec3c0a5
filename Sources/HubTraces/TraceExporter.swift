import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Brings spans to a collector: OTLP over HTTP, as JSON.
package struct TraceExporter: Sendable {
    /// The result of one export.
    package struct Outcome: Equatable, Sendable {
        /// Spans that the collector has taken.
        package var exported = 0
        /// Spans that are lost: there was no room for them, or the collector refused them.
        package var dropped = 0
    }

    /// Statuses after which the same request may succeed.
    ///
    /// Source: OTLP, Retryable Response Codes.
    private static let passing: Set<UInt> = [429, 502, 503, 504]

    private let tracer: Tracer
    private let url: String
    private let version: String
    private let seconds: Int64

    /// Exports the spans of a tracer to an address, which answers in time or not at all.
    package init(
        _ tracer: Tracer,
        url: String,
        version: String,
        within seconds: Int64 = TraceLimits.answerSeconds
    ) {
        self.seconds = seconds
        self.tracer = tracer
        self.url = url
        self.version = version
    }

    /// Exports all that wait; those that the collector cannot take now wait on.
    package func export() async -> Outcome {
        var outcome = Outcome()
        while true {
            let (spans, dropped) = tracer.take(TraceLimits.spansPerRequest)
            outcome.dropped += dropped
            guard !spans.isEmpty else { return outcome }
            switch await status(of: SpanDocument(spans, version: version).bytes) {
            case .some(200..<300): outcome.exported += spans.count
            case .some(let status) where !Self.passing.contains(status):
                outcome.dropped += spans.count
            case .none, .some:
                tracer.takeBack(spans)
                return outcome
            }
        }
    }

    /// One for the whole process, which follows no redirect: a POST would become a GET, and spans
    /// would go to a host that no operator named.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: .init(redirectConfiguration: .disallow, decompression: .disabled)
    )

    /// The status of the collector's answer; nil when it gave none.
    private func status(of document: [UInt8]) async -> UInt? {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: document))
        // Any error is a collector that gave no answer: its spans wait on.
        let response = try? await Self.client.execute(request, timeout: .seconds(seconds))
        guard let response else { return nil }
        await pass(response.body)
        return response.status.code
    }

    /// Reads a body of some size in some time, so that the connection serves the next request; its
    /// content decides nothing.
    private func pass(_ body: HTTPClientResponse.Body) async {
        await withTaskGroup { group in
            // A body that fails or never ends costs its connection and nothing else.
            group.addTask { _ = try? await body.collect(upTo: TraceLimits.answerBytes) }
            // Ended early when the body was read.
            group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
            await group.next()
            group.cancelAll()
        }
    }
}
