import HubRelay
import NIOCore
import NIOHTTP2

/// A request on its way; belongs to one event loop.
final class StreamRequest {
    let request: RelayRequest
    /// Times that a service did not process it.
    var unprocessed = 0
    /// Where it is in flight; nil while it waits.
    var place: (StreamConnection, HTTP2StreamID)?
    /// Set while it waits or is in flight.
    var deadline: Scheduled<Void>?
    private let continuation: CheckedContinuation<Result<RelayAnswer, CarrierFailure>, Never>
    private(set) var isOver = false

    init(
        _ request: RelayRequest,
        _ continuation: CheckedContinuation<Result<RelayAnswer, CarrierFailure>, Never>
    ) {
        self.request = request
        self.continuation = continuation
    }

    /// Ends it, once.
    func end(_ result: Result<RelayAnswer, CarrierFailure>) {
        guard !isOver else { return }
        isOver = true
        deadline?.cancel()
        continuation.resume(returning: result)
    }
}
