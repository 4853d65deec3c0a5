import AsyncHTTPClient
import Hummingbird
import NIOHTTP1

/// The body of a leader's answer on its way to the client.
enum PassedAnswer {
    /// Takes up to `whole` bytes before any is passed on: nil when they break off, so that the
    /// request may be repeated.
    ///
    /// A longer body is passed on as it comes, and keeps its request's place until its end.
    /// - Throws: `CancellationError` when the client is gone.
    static func body(
        of answer: HTTPClientResponse,
        whole: Int,
        place: RequestBudget.Place
    ) async throws -> ResponseBody? {
        let length = answer.headers.first(name: "content-length").flatMap(Int.init)
        let body = answer.body
        guard let length, length > whole else {
            do {
                return ResponseBody(byteBuffer: try await body.collect(upTo: length ?? whole))
            } catch {
                guard !Task.isCancelled else { throw CancellationError() }
                return nil
            }
        }
        return ResponseBody(contentLength: length) { writer in
            defer { withExtendedLifetime(place) {} }
            for try await piece in body { try await writer.write(piece) }
            try await writer.finish(nil)
        }
    }
}
