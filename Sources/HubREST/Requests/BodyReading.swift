import HubVocabulary
package import Hummingbird
import Synchronization

/// Reads a request's body under a limit and a deadline: the HTTP/2 channel has neither.
///
/// Source: rules E.
package struct BodyReading: Sendable {
    private enum Outcome: Sendable {
        case complete([UInt8])
        case tooLarge(bytes: Int)
        case broken
        case withoutLength
    }

    private let deadlines: BodyDeadlines

    /// Bodies have `deadline` to arrive.
    package init(deadline: Duration) { deadlines = BodyDeadlines(deadline) }

    /// The whole body, at most `limit` bytes.
    ///
    /// A connection that is lost ends a body of HTTP/2 as if it were whole, so the end counts only
    /// while the context is connected, and only where `Content-Length` said.
    /// - Throws: `.tooLarge` (413), `.bodyTimeout` (408), `.lengthRequired` (411), `.bodyBroken`
    ///   (400), or `.cancelled` when the client is gone.
    package func read(
        _ request: Request,
        limit: Int,
        in context: some ConnectionContext
    ) async throws(RequestFailure) -> [UInt8] {
        let length = request.headers[.contentLength].flatMap(Int.init)
        if let length, length > limit {
            throw .refused(.tooLarge(field: "Body", bytes: length, limit: limit))
        }
        if let whole = context.wholeBody {
            guard whole.readableBytes <= limit else {
                let bytes = whole.readableBytes
                throw .refused(.tooLarge(field: "Body", bytes: bytes, limit: limit))
            }
            return try checked(Array(whole.readableBytesView), length, in: context)
        }
        let body = request.body
        let result = Mutex(Outcome.broken)
        // A body that is there with its head is read without a change of threads.
        let reading = Task.immediate(executorPreference: context.executor) {
            let outcome = await Self.collect(body, limit: limit)
            result.withLock { $0 = outcome }
        }
        let number = deadlines.add(reading)
        await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            reading.cancel()
        }
        let isInTime = deadlines.remove(number)
        guard !Task.isCancelled else { throw .cancelled }
        guard isInTime else { throw .bodyTimeout }
        switch result.withLock({ $0 }) {
        case .complete(let bytes): return try checked(bytes, length, in: context)
        case .tooLarge(let bytes):
            throw .refused(.tooLarge(field: "Body", bytes: bytes, limit: limit))
        case .broken: throw .bodyBroken
        case .withoutLength: throw .lengthRequired
        }
    }

    private func checked(
        _ bytes: [UInt8],
        _ length: Int?,
        in context: some ConnectionContext
    ) throws(RequestFailure) -> [UInt8] {
        guard context.isConnected else { throw .cancelled }
        guard length == nil || length == bytes.count else { throw .bodyBroken }
        return bytes
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
            // A cancelled sequence ends as a whole one does.
            return Task.isCancelled ? .broken : .complete(bytes)
        } catch is LengthMissing {
            return .withoutLength
        } catch {
            return .broken
        }
    }
}
