import HubCore
import Hummingbird

/// Reads a request's body under a limit and a deadline: the HTTP/2 channel has neither.
///
/// Source: rules E.
enum BodyReading {
    private enum Outcome: Sendable {
        case complete([UInt8])
        case tooLarge(bytes: Int)
        case late
        case broken
    }

    /// The whole body, at most `limit` bytes, within `deadline`.
    ///
    /// - Throws: `.tooLarge` (413), `.bodyTimeout` (408), or `.cancelled` when the client is gone.
    static func read(
        _ request: Request,
        limit: Int,
        deadline: Duration
    ) async throws(RequestFailure) -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw .refused(.tooLarge(field: "Body", bytes: length, limit: limit))
        }
        let body = request.body
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask { await collect(body, limit: limit) }
            group.addTask {
                // Cancelled as soon as the body is complete: the reason does not matter then.
                try? await Task.sleep(for: deadline)
                return .late
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .broken
        }
        guard !Task.isCancelled else { throw .cancelled }
        switch outcome {
        case .complete(let bytes): return bytes
        case .tooLarge(let bytes):
            throw .refused(.tooLarge(field: "Body", bytes: bytes, limit: limit))
        case .late: throw .bodyTimeout
        case .broken: throw .cancelled
        }
    }

    private static func collect(_ body: RequestBody, limit: Int) async -> Outcome {
        var bytes: [UInt8] = []
        do {
            for try await buffer in body {
                guard bytes.count + buffer.readableBytes <= limit else {
                    return .tooLarge(bytes: bytes.count + buffer.readableBytes)
                }
                bytes.append(contentsOf: buffer.readableBytesView)
            }
        } catch {
            return .broken
        }
        return .complete(bytes)
    }
}
