import HubMetrics
import Synchronization

/// A question for a shard's numbers; answered by nil when the shard ends before it comes to it.
final class ReportRequest: Sendable {
    private let continuation: Mutex<CheckedContinuation<ShardReport?, Never>?>

    init(_ continuation: CheckedContinuation<ShardReport?, Never>) {
        self.continuation = Mutex(continuation)
    }

    deinit { answer(nil) }

    /// Answers; more calls do nothing.
    func answer(_ report: ShardReport?) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: report)
    }
}
