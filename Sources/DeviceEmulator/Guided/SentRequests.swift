import HubSender
import Synchronization

/// Requests that this process made.
final class SentRequests: Sendable {
    private let state = Mutex<[RequestLine]>([])

    /// Notes a request.
    func add(_ request: SentRequest) { state.withLock { $0.append(RequestLine(request)) } }

    /// All so far.
    var lines: [RequestLine] { state.withLock { $0 } }
}
