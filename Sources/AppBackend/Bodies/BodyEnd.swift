import Hummingbird
import Synchronization

/// Whether a request's body was read to its end.
final class BodyEnd: Sendable {
    private let reached: Mutex<Bool>

    /// The end of a request's body; one that has none is at its end.
    init(of request: Request) {
        let hasLength = request.headers[.contentLength].map { $0 != "0" } ?? false
        reached = Mutex(!hasLength && request.headers[.transferEncoding] == nil)
    }

    var isReached: Bool { reached.withLock { $0 } }

    func reach() { reached.withLock { $0 = true } }
}
